/* Planted: a bounded queue of two takes a third item, which writes over one that nobody has read. */
// fails: assertion failed
// names: queue->lock
// decides: pthread_mutex_lock(&queue->lock)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 2 };
struct queue {
    pthread_mutex_t lock;
    int items[ROOM];
    unsigned head, tail;
};

static int queue_put(struct queue *queue, int item)
{
    int done = 0;
    pthread_mutex_lock(&queue->lock);
    if (queue->tail - queue->head <= ROOM) { /* planted: < */
        queue->items[queue->tail++ % ROOM] = item;
        done = 1;
    }
    pthread_mutex_unlock(&queue->lock);
    return done;
}

static int queue_get(struct queue *queue)
{
    int item = 0;
    pthread_mutex_lock(&queue->lock);
    if (queue->tail != queue->head)
        item = queue->items[queue->head++ % ROOM];
    pthread_mutex_unlock(&queue->lock);
    return item;
}

static void *producer(void *queue)
{
    for (int item = 1; item <= ROOM + 1; item++)
        queue_put(queue, item);
    return NULL;
}

int main(void)
{
    struct queue *queue = calloc(1, sizeof *queue);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, producer, queue);
    int item = queue_get(queue);
    assert(item == 0 || item == 1);
    pthread_join(thread, NULL);
    free(queue);
}
