/* Mutual exclusion by two flags. Who looks at the other's flag before it raises its own may enter together
 * with the other. With -DFIXED it raises its own first, and gives way by turn, as Dekker did. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside, entered;

static void enter_and_leave(void)
{
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_add(&entered, 1);
    atomic_fetch_sub(&inside, 1);
}

static void *process(void *argument)
{
    int me = (int)(long)argument, other = 1 - me;
#ifdef FIXED
    wants[me] = 1;
    while (wants[other])
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    enter_and_leave();
    turn = other;
    wants[me] = 0;
#else
    while (wants[other])
        ;
    wants[me] = 1;
    enter_and_leave();
    wants[me] = 0;
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, process, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(entered == 2);
    return 0;
}
