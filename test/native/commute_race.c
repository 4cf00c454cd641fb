// What commutes orders nothing: in the other order of the additions, thread 2 reads what thread 1 writes.
// expect: unsafe data-race *
// args: --relation=published
// expect: unsafe data-race *
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int value;

static void *write_first(void *unused)
{
    value = 1;
    atomic_fetch_add(&count, 1);
    return unused;
}

static void *read_then(void *unused)
{
    atomic_fetch_add(&count, 1);
    return value ? unused : 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, write_first, 0);
    pthread_create(&threads[1], 0, read_then, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
