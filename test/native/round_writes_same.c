// A thread that waits, and writes in each round what is there already: a round that changes nothing. That it goes on writing is seen by
// who reads or writes the same.
// expect: safe
// args: -DROUND='seen=1,last=2'
// expect: safe
// args: -DHEAP
// expect: safe
// args: -DREADS
// expect: unsafe data-race 51|63
// args: -DREADS -DWHILE='!stop&&!also'
// expect: unsafe data-race 51|63
// args: -DREADS -DWHILE='!looks()'
// expect: unsafe data-race 51|63
// args: -DWRITES --check=data-races
// expect: unsafe data-race 51|66
// args: -DWRITES --check=assertions
// expect: unsafe assertion 77
// args: -DNEVER -DROUND='seen=1'
// expect: unsafe livelock 50|51|75
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef ROUND
#define ROUND seen = 1, begun = 1
#endif
#ifndef WHILE
#define WHILE !stop
#endif
static atomic_int stop, also, begun;
static int last, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int looks(void)
{
    pthread_mutex_lock(&lock);
    int now = stop;
    pthread_mutex_unlock(&lock);
    return now;
}
static void *waits(void *arg)
{
#ifdef HEAP
    int *own = malloc(2 * sizeof *own);
    do {
        own[1] = 3;
        own[0] = stop;
    } while (!own[0]);
    free(own);
#else
    while (WHILE)
        ROUND;
#endif
    (void)looks;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
#ifdef READS
    while (!begun)
        ;
    last = seen;
#endif
#ifdef WRITES
    seen = 2;
#endif
#ifdef NEVER
    last = stop;
#else
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
#ifdef WRITES
    assert(seen != 2);
#endif
    also = last;
    return 0;
}
