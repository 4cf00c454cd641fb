/* Planted: a worker looks for work, unlocks, and only then begins to wait: a signal in between is lost. */
// fails: deadlock
// names: pool->ready
// decides: pthread_mutex_lock(&pool->lock)
// says: the signal came too early: in step 4 nobody waited
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int jobs, done;
};

static int pool_is_empty(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    int empty = pool->jobs == 0;
    pthread_mutex_unlock(&pool->lock);
    return empty;
}

static void *worker(void *argument)
{
    struct pool *pool = argument;
    int empty = pool_is_empty(pool); /* planted: what it says may be old */
    pthread_mutex_lock(&pool->lock);
    if (empty)
        pthread_cond_wait(&pool->ready, &pool->lock);
    pool->jobs--;
    pool->done++;
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void pool_add(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->jobs++;
    pthread_cond_signal(&pool->ready);
    pthread_mutex_unlock(&pool->lock);
}

int main(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ready, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, pool);
    pool_add(pool);
    pthread_join(thread, NULL);
    free(pool);
}
