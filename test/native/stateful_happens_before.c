// Two orders of critical sections lead to the same memory, place and registers of all threads. Only in one of them is the reader's section
// before the writer's, so that the mutex does not order the write of x before the read: states are the same only if the same accesses race in
// what follows. (Who reads has seen that the writer was done; in no other order does it read at all.)
// args: --stateful --memory=sc --relation=published
// expect: unsafe data-race 44|27
// args: --stateful --memory=sc --relation=published -DREADER_FIRST
// expect: unsafe data-race 44|27
// args: --stateful --memory=sc --relation=published -DORDERED
// expect: safe
// args: --stateful --memory=sc --relation=published -DORDERED -DREADER_FIRST
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef ORDERED
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static atomic_int done, other;

/* Nothing is left of the order of the sections, not even on the stacks of hooks. */
static void pass(void)
{
    for (int i = 0; i < 3; i++)
        atomic_load_explicit(&other, memory_order_relaxed);
}

static void *writer(void *argument)
{
    x = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pass();
    atomic_store_explicit(&done, 1, ORDER);
    return argument;
}

static int look(void)
{
    return x;
}

static void *reader(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pass();
    if (atomic_load_explicit(&done, ORDER))
        look();
    return argument;
}

int main(void)
{
    pthread_t threads[2];
#ifdef READER_FIRST
    void *(*const run[2])(void *) = {reader, writer};
#else
    void *(*const run[2])(void *) = {writer, reader};
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
