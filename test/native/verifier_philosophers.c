// Philosophers who take both forks at once in an atomic section, or look again: a loop that waits for either
// of two locations. A fork that is not put back is waited for for ever.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 18
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int fork_[3], meals;

static void *eat(void *a)
{
    int i = (int)(long)a, l = i, r = (i + 1) % 3;
    for (int got = 0; !got;) {
        __VERIFIER_atomic_begin();
        if (!fork_[l] && !fork_[r]) {
            fork_[l] = fork_[r] = 1;
            got = 1;
        }
        __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    meals++;
    fork_[l] = 0;
#ifndef BUG
    fork_[r] = 0;
#endif
    __VERIFIER_atomic_end();
    return a;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, eat, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(meals == 3);
}
