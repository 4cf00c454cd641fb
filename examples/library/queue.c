/* A bounded queue: a ring of numbers under a lock.
 *
 *   mazurka clients examples/library/queue.c --clients=examples/library/queue.clients
 *
 * -DFULL: it is full one number too late.  -DSIZE: size() looks at both ends without the lock.
 * -DUNLOCK: the lock is kept if the queue is full.  -DTWICE: drop() frees what is freed at the end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct queue {
    pthread_mutex_t lock;
    int *ring;
    atomic_uint first, end; /* numbers taken, and put in */
    unsigned size;
} queue;

queue *queue_new(unsigned size)
{
    queue *q = calloc(1, sizeof *q);
    if (!q || !(q->ring = calloc(size, sizeof *q->ring))) {
        free(q);
        return NULL;
    }
    q->size = size;
    pthread_mutex_init(&q->lock, NULL);
    return q;
}

int push(queue *q, int value)
{
    pthread_mutex_lock(&q->lock);
#ifdef FULL
    int full = q->end - q->first > q->size;
#else
    int full = q->end - q->first == q->size;
#endif
#ifdef UNLOCK
    if (full)
        return 0;
#endif
    if (!full) {
        q->ring[q->end % q->size] = value;
        q->end++;
    }
    assert(q->end - q->first <= q->size);
    pthread_mutex_unlock(&q->lock);
    return !full;
}

/* -1: it is empty. */
int pop(queue *q)
{
    int value = -1;
    pthread_mutex_lock(&q->lock);
    if (q->end != q->first) {
        value = q->ring[q->first % q->size];
        q->first++;
    }
    pthread_mutex_unlock(&q->lock);
    return value;
}

unsigned size(queue *q)
{
#ifdef SIZE
    unsigned first = q->first;
    return q->end - first;
#else
    pthread_mutex_lock(&q->lock);
    unsigned count = q->end - q->first;
    pthread_mutex_unlock(&q->lock);
    return count;
#endif
}

/* What is in it is gone. */
void drop(queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->first = (unsigned)q->end;
#ifdef TWICE
    free(q->ring);
#endif
    pthread_mutex_unlock(&q->lock);
}

void queue_free(queue *q)
{
    pthread_mutex_destroy(&q->lock);
    free(q->ring);
    free(q);
}
