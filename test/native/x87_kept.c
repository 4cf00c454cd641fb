// Numbers in the registers of the old floating point unit outlive operations between which others run: those are the
// program's own assembly, and what compilers access without a hook.
// expect: safe
// args: --cflags=-O2
// expect: safe
// args: --cc=clang --cflags=-O2
// expect: safe
// args: --cc=clang --cflags=-O2 -DRACES --races=ignore
// expect: safe
#include <assert.h>
#include <pthread.h>

static int x;
static volatile long double three = 3;
long double numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static __attribute__((noinline)) long double quotient(const long double *n)
{
    return (n[0] + n[1]) * (n[2] + n[3]) / ((n[4] - n[5]) * (n[6] - n[7]));
}

static void *computes(void *a)
{
#ifdef RACES
    assert(quotient(numbers) == 21);
    numbers[3] = 4;
    numbers[7] = 8;
#endif
    long double square = three * three;
    int seen;
    __asm__ volatile("lock incl %0" : "+m"(x));
    __asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(x));
    assert(square + 1 == 10 && seen > 0);
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, computes, 0);
    pthread_create(&u, 0, computes, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
