// A program that is aborted, and nobody asked about assertions, has come to its end: no leaks are looked for there, and the
// checker survives it.
// args: --check=leaks
// expect: safe
// args: --check=leaks -DEXIT
// expect: unsafe leak 12
// args: --check=leaks,assertions
// expect: unsafe assertion 21
#include <stdlib.h>
static void *volatile kept;
static __attribute__((noinline)) void lose(void)
{   kept = malloc(10);
    kept = malloc(20);
}
int main(void)
{
    lose();
#ifdef EXIT
    return 0;
#else
    abort();
#endif
}
