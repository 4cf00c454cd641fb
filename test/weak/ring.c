/* A ring buffer for one producer and one consumer, of two places. */
// expect: safe
// args: -DPUT=rlx
// expect: unsafe data-race
// args: -DGET=rlx
// expect: unsafe data-race
// args: -DFREED=rlx
// expect: unsafe data-race
// args: -DROOM=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef PUT
#define PUT rel
#endif
#ifndef GET
#define GET acq
#endif
#ifndef FREED
#define FREED rel
#endif
#ifndef ROOM
#define ROOM acq
#endif
enum { SIZE = 1, COUNT = 2 };
static int places[SIZE];
static atomic_uint head, tail;
static void *producer(void *u)
{
    for (unsigned i = 0; i < COUNT; i++) {
        while (i - atomic_load_explicit(&head, ROOM) == SIZE)
            ;
        places[i % SIZE] = (int)i + 1;
        atomic_store_explicit(&tail, i + 1, PUT);
    }
    return u;
}
static void *consumer(void *u)
{
    for (unsigned i = 0; i < COUNT; i++) {
        while (atomic_load_explicit(&tail, GET) == i)
            ;
        assert(places[i % SIZE] == (int)i + 1);
        atomic_store_explicit(&head, i + 1, FREED);
    }
    return u;
}
int main(void)
{
    run_two(producer, consumer);
}
