// A choice in an atomic section is possible while there are no other threads.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 25
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

static int turn;

static void *worker(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    mz_atomic_begin();
    turn = mz_choose(0, 2);
    mz_atomic_end();
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
#ifdef BUG
    assert(turn < 2);
#else
    assert(turn <= 2);
#endif
}
