// A release sequence ends with another thread's store. What that thread has published with a fence before it is not
// published by a later relaxed store of the first thread: who acquires that one has not acquired the message. RELEASE: the
// later store releases, and its thread has acquired the message itself.
// expect: unsafe data-race 30|38
// args: -DRELEASE
// expect: safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int f;
static int message;

static void *first(void *a)
{
    atomic_store_explicit(&f, 1, memory_order_release);
#ifdef RELEASE
    if (atomic_load_explicit(&f, memory_order_acquire) == 2)
        atomic_store_explicit(&f, 3, memory_order_release);
#else
    if (atomic_load_explicit(&f, memory_order_relaxed) == 2)
        atomic_store_explicit(&f, 3, memory_order_relaxed);
#endif
    return a;
}

static void *second(void *a)
{
    if (atomic_load_explicit(&f, memory_order_relaxed) != 1)
        return a;
    message = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&f, 2, memory_order_relaxed);
    return a;
}

static void *third(void *a)
{
    if (atomic_load_explicit(&f, memory_order_acquire) == 3 && message == 0)
        return NULL;
    return a;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, third, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
