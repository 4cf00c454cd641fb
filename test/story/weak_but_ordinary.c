/* Planted: a counter is read and written in two operations. A program with weak orders, but the failure is one of
 * interleavings: it is told as such. */
// fails: assertion failed: counter == 2
// says: 2 T2 work
// says: counter: 1 → 1
// says: which step decides is not known under RC11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static atomic_int counter;

static void *work(void *unused)
{
    int seen = atomic_load_explicit(&counter, memory_order_relaxed);
    atomic_store_explicit(&counter, seen + 1, memory_order_relaxed);
    done++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
}
