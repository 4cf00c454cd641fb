// An assumption about a number, when all other threads have ended: a wider range is tried there, too.
// expect: unsafe assertion 15
// args: -DPROPERTY
// expect: safe pruned=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_int x;
static void *adds(void *a) { x++; return a; }
#ifdef PROPERTY
static void look(void) { __VERIFIER_assume(x != 1); assert(0); }
#else
static void look(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 100); assert(n < 200); }
#endif
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, adds, NULL);
    pthread_join(t, NULL);
    look();
    return 0;
}
