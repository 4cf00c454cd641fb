// A driver's module may go once nobody uses it: the function that unregisters it waits for that. Without,
// its state is freed under its user.
// expect: safe
// args: -DBUG
// expect: unsafe data-race|memory 52|39
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

static int registered, references;
static int *state;

static _Bool __VERIFIER_atomic_get(void)
{
    if (!registered)
        return 0;
    references++;
    return 1;
}

static void __VERIFIER_atomic_put(void)
{
    references--;
}

static void __VERIFIER_atomic_unregister(void)
{
#ifndef BUG
    __VERIFIER_assume(references == 0);
#endif
    registered = 0;
}

static void *user(void *a)
{
    if (__VERIFIER_atomic_get()) {
        (*state)++;
        __VERIFIER_atomic_put();
    }
    return a;
}

int main(void)
{
    pthread_t t;
    state = calloc(1, sizeof *state);
    registered = 1;
    pthread_create(&t, 0, user, 0);
    __VERIFIER_atomic_unregister();
    free(state);
    pthread_join(t, 0);
}
