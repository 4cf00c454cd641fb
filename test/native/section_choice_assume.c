// A function that is an atomic section chooses, and assumes something about what it has chosen: values for
// which that does not hold are not looked at. It does not wait with one of them for ever, which would be no
// deadlock of the program. An assumption in front of the choice waits.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 36
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int open, slots[3];

static int __VERIFIER_atomic_take(void)
{
    __VERIFIER_assume(open);
    int slot = mz_choose(0, 3);
    __VERIFIER_assume(slot < 3 && slots[slot] == 0);
    slots[slot] = 1;
    return slot;
}

static void *taker(void *argument)
{
    *(int *)argument = __VERIFIER_atomic_take();
    return NULL;
}

static void check(const int *taken)
{
    assert(slots[taken[0]] && slots[taken[1]]);
    assert(taken[0] != taken[1]);
#ifdef BUG
    /* any two of them */
    assert(taken[0] != 2 || taken[1] != 1);
#endif
}

int main(void)
{
    pthread_t threads[2];
    int taken[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, taker, &taken[i]);
    mz_atomic_begin();
    open = 1;
    mz_atomic_end();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    check(taken);
}
