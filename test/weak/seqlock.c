/* A sequence lock: the reader sees both numbers of one update, or knows that it does not (Boehm, MSPC 2012). */
// expect: safe
// args: -DWRITER=none
// expect: unsafe assertion
// args: -DREADER=none
// expect: unsafe assertion
// args: -DEND=rlx
// expect: unsafe assertion
// args: -DBEGIN=rlx
// expect: unsafe assertion
#include "weak.h"
#ifndef WRITER
#define WRITER rel
#endif
#ifndef READER
#define READER acq
#endif
#ifndef END
#define END rel
#endif
#ifndef BEGIN
#define BEGIN acq
#endif
static atomic_int sequence, a, b;
static void *writer(void *u)
{
    atomic_store_explicit(&sequence, 1, rlx);
    FENCE(WRITER);
    atomic_store_explicit(&a, 1, rlx);
    atomic_store_explicit(&b, 1, rlx);
    atomic_store_explicit(&sequence, 2, END);
    return u;
}
static void *reader(void *u)
{
    int before = atomic_load_explicit(&sequence, BEGIN);
    int x = atomic_load_explicit(&a, rlx), y = atomic_load_explicit(&b, rlx);
    FENCE(READER);
    int after = atomic_load_explicit(&sequence, rlx);
    if (before == after && before % 2 == 0)
        assert(x == y && x == before / 2);
    return u;
}
int main(void)
{
    run_two(writer, reader);
}
