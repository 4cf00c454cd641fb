// A loop that creates threads for ever: what goes wrong among the first of them is found, and otherwise nothing is
// said of those for which there is no room.
// expect: unsafe assertion 17
// args: -DFEW --max-events=300000
// expect: incomplete threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *counts(void *a)
{
#ifdef FEW
    (void)count;
#else
    assert(count++ < 3);
#endif
    return a;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, counts, 0);
    }
}
