// Loops that poll through atomic sections wait until what they have looked at changes: in one section, in two
// one after the other, or with a write that changes nothing, as in a lock by test-and-set.
// expect: safe
// args: -DBUG=1
// expect: unsafe livelock 21
// args: -DBUG=2
// expect: unsafe data-race 53
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ready; /* not static: the compiler must not know who writes it */
static int answer, taken, count;

static void *reader(void *argument)
{
    for (;;) {
        int seen = 0;
        __VERIFIER_atomic_begin();
        if (ready) {
            seen = answer;
            __VERIFIER_atomic_end();
            assert(seen == 42);
            return argument;
        }
        __VERIFIER_atomic_end();
    }
}

static int __VERIFIER_atomic_test_and_set(int *flag)
{
    int before = *flag;
    *flag = 1;
    return before;
}

static void lock(void)
{
#if BUG == 2
    if (__VERIFIER_atomic_test_and_set(&taken))
        return;
#else
    while (__VERIFIER_atomic_test_and_set(&taken))
        ;
#endif
}

static void *worker(void *argument)
{
    lock();
    count++;
    __VERIFIER_atomic_begin();
    taken = 0;
    __VERIFIER_atomic_end();
    return argument;
}

static void *writer(void *argument)
{
    __VERIFIER_atomic_begin();
    answer = 42;
    __VERIFIER_atomic_end();
    int is_set, is_taken;
    do {
        __VERIFIER_atomic_begin();
        is_set = answer == 42;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        is_taken = taken;
        __VERIFIER_atomic_end();
    } while (!is_set || is_taken);
#if BUG != 1
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    pthread_create(&threads[2], NULL, worker, NULL);
    pthread_create(&threads[3], NULL, writer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
}
