#line 2 "<streams>"
// The standard streams. They are there before the program's own static objects are made, and stay after those
// are gone.
#include <iostream>

namespace std {

#if __cplusplus < 201703L
#error "the parts of the library are compiled as C++20"
#endif

namespace {
alignas(filebuf) char buffers[3][sizeof(filebuf)];

filebuf *buffer(int number, FILE *file)
{
    return new (buffers[number]) filebuf(file);
}
} // namespace

__attribute__((init_priority(101))) istream cin(buffer(0, stdin), true);
__attribute__((init_priority(101))) ostream cout(buffer(1, stdout), true);
__attribute__((init_priority(101))) ostream cerr(buffer(2, stderr), true);
__attribute__((init_priority(101))) ostream clog(cerr.rdbuf(), true);

} // namespace std
