// Which of two stores comes last decides whether the block is lost, and nobody reads what they store. FIXED: who overwrites
// it frees it.
// args: --check=default,leaks
// expect: unsafe leak 20
// args: --check=default,leaks -DSWAPPED
// expect: unsafe leak 20
// args: --check=default,leaks -DFIXED
// expect: safe
// args: --check=default,leaks -DFIXED -DSWAPPED
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static atomic_int last;

static void *publishes(void *argument)
{
    int *block = malloc(sizeof *block);
    last = 1;
    atomic_store(&shared, block);
    return argument;
}

static void *clears(void *argument)
{
    last = 2;
#ifdef FIXED
    free(atomic_exchange(&shared, NULL));
#else
    atomic_store(&shared, NULL);
#endif
    return argument;
}

int main(void)
{
    pthread_t s, t;
#ifdef SWAPPED
    pthread_create(&s, NULL, clears, NULL);
    pthread_create(&t, NULL, publishes, NULL);
#else
    pthread_create(&s, NULL, publishes, NULL);
    pthread_create(&t, NULL, clears, NULL);
#endif
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
