// Arrivals of one phase commute, and what follows comes after all of them: no race on `value`. Two rounds of 4 threads
// are (4!)^2 = 576 orders. Who looks at the result is told who came last: 24 orders of a round.
// expect: safe traces=576 refined=1
// args: -DUSED -DROUNDS=1
// expect: safe traces=24
// args: -DROUNDS=1 -DNEEDED=2
// expect: safe traces=24
// args: -DN=8 -DROUNDS=1
// expect: safe traces=1 observations=40320
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef N
#define N 4
#endif
#ifndef NEEDED
#define NEEDED N
#endif

static pthread_barrier_t barrier;
static int value[N], serial[N];

static void *work(void *number)
{
    int i = *(int *)number;
    for (int round = 0; round < ROUNDS; round++) {
        value[i] = round;
#ifdef USED
        serial[i] = pthread_barrier_wait(&barrier);
#else
        pthread_barrier_wait(&barrier);
#endif
    }
#if NEEDED == 4
    return value[(i + 1) % N] == ROUNDS - 1 ? number : 0;
#else
    return serial[i] ? number : 0;
#endif
}

int main(void)
{
    pthread_t threads[N];
    int numbers[N];
    pthread_barrier_init(&barrier, 0, NEEDED);
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, work, &numbers[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
}
