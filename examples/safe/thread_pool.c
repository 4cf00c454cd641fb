/* A pool of two workers does the parts of a job. Whoever is done says so, and then, in a critical section of
 * its own, writes down how much it did. But the job is over, and its memory given back, as soon as all parts
 * are done: a worker may lock a mutex that does not exist any more. With -DFIXED it writes that down before it
 * says that it is done. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 2 };

typedef struct job {
    int done, effort;
    char name[32];
    pthread_mutex_t lock;
    pthread_cond_t all_done;
} job;

static void lock(job *j)
{
    int result = pthread_mutex_lock(&j->lock);
    assert(result == 0);
}

static void write_down(job *j, int effort)
{
    lock(j);
    j->effort += effort;
    pthread_mutex_unlock(&j->lock);
}

static void *work(void *argument)
{
    job *j = argument;
#ifdef FIXED
    write_down(j, 1);
#endif
    lock(j);
    if (++j->done == WORKERS)
        pthread_cond_signal(&j->all_done);
    pthread_mutex_unlock(&j->lock);
#ifndef FIXED
    write_down(j, 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    job *j = calloc(1, sizeof *j);
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->all_done, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, j);
    lock(j);
    while (j->done < WORKERS)
        pthread_cond_wait(&j->all_done, &j->lock);
    pthread_mutex_unlock(&j->lock);
    pthread_cond_destroy(&j->all_done);
    pthread_mutex_destroy(&j->lock);
    free(j);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
