// Choices in atomic sections, also while there are other threads: how many there are, and from which range,
// may depend on what the others have done. Every value must come up, and none that is not in the range.
// expect: safe full=yes
// args: -DBUG=1
// expect: unsafe assertion 46
// args: -DBUG=2
// expect: unsafe assertion 36
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

static int turn, range, sum;

static void *chooser(void *argument)
{
    mz_atomic_begin();
    turn = mz_choose(0, 2);
    sum = turn + mz_choose(3, 4);
    mz_atomic_end();
    mz_atomic_begin();
    range = 2;
    mz_atomic_end();
    return argument;
}

static void *sometimes(void *argument)
{
    int chosen = 0, limit;
    mz_atomic_begin();
    limit = range;
    if (turn == 1)
        chosen = mz_choose(0, range + 1);
    mz_atomic_end();
    assert(chosen <= limit + 1);
#if BUG == 2
    assert(chosen < 3);
#else
    assert(chosen < 4);
#endif
    return argument;
}

static void end(void)
{
#if BUG == 1
    assert(sum != 6 || turn != 2);
#endif
    assert(sum == turn + 3 || sum == turn + 4);
}

int main(void)
{
    pthread_t threads[2];
    mz_atomic_begin();
    turn = mz_choose(0, 2); /* here nobody could notice */
    mz_atomic_end();
    pthread_create(&threads[0], NULL, chooser, NULL);
    pthread_create(&threads[1], NULL, sometimes, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    end();
}
