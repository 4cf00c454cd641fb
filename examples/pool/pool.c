/* One mutex guards everything. Two conditions are waited for: `work` by workers without a job, `idle` by
 * whoever wants to see all jobs done.
 *
 * -DBUG=1, 2 or 3 puts in a mistake that has been made in pools before. */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

typedef struct task {
    struct task *next;
    pool_job *job;
    void *argument;
} task;

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work; /* there is a task, or the pool is closing */
    pthread_cond_t idle; /* nothing is queued, and nobody is busy */
    task *first, **end;  /* the queue, and where the next task is linked */
    size_t busy;         /* workers that carry out a job */
    bool closing;
    size_t worker_count;
    pthread_t workers[];
};

/* ---- the queue: the caller holds the mutex ------------------------------------------------------------- */

static void append(pool *p, task *t)
{
    t->next = NULL;
    *p->end = t;
    p->end = &t->next;
}

static task *take_first(pool *p)
{
    task *t = p->first;
    p->first = t->next;
    if (!p->first)
        p->end = &p->first;
    return t;
}

static bool is_idle(const pool *p)
{
#if BUG == 3 /* a job that has left the queue is not done yet */
    return !p->first;
#else
    return !p->first && p->busy == 0;
#endif
}

/* ---- workers ------------------------------------------------------------------------------------------- */

/* The next task; NULL: the pool closes, and there is none. The caller holds the mutex. */
static task *wait_for_task(pool *p)
{
#if BUG == 1 /* when it has the mutex again, another worker may have taken the task */
    if (!p->first && !p->closing)
        pthread_cond_wait(&p->work, &p->mutex);
    return p->closing && !p->first ? NULL : take_first(p);
#else
    while (!p->first && !p->closing)
        pthread_cond_wait(&p->work, &p->mutex);
    return p->first ? take_first(p) : NULL;
#endif
}

static void carry_out(pool *p, task *t)
{
    p->busy++;
    pthread_mutex_unlock(&p->mutex);
    t->job(t->argument);
    free(t);
    pthread_mutex_lock(&p->mutex);
    p->busy--;
    if (is_idle(p))
        pthread_cond_broadcast(&p->idle);
}

static void *worker(void *argument)
{
    pool *p = argument;
    task *t;
    pthread_mutex_lock(&p->mutex);
    while ((t = wait_for_task(p)))
        carry_out(p, t);
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

/* ---- what the user calls ------------------------------------------------------------------------------- */

bool pool_submit(pool *p, pool_job *job, void *argument)
{
    task *t = malloc(sizeof *t);
    if (!t)
        return false;
    *t = (task){.job = job, .argument = argument};
    pthread_mutex_lock(&p->mutex);
    bool accepted = !p->closing;
    if (accepted) {
        append(p, t);
        pthread_cond_signal(&p->work);
    }
    pthread_mutex_unlock(&p->mutex);
    if (!accepted)
        free(t);
    return accepted;
}

void pool_wait(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    while (!is_idle(p))
        pthread_cond_wait(&p->idle, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static size_t discard(task *t)
{
    size_t count = 0;
    for (task *next; t; t = next, count++) {
        next = t->next;
        free(t);
    }
    return count;
}

static void release(pool *p)
{
    pthread_cond_destroy(&p->idle);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}

size_t pool_destroy(pool *p, pool_end how)
{
    task *left = NULL;
    pthread_mutex_lock(&p->mutex);
    if (how == POOL_DISCARD) {
        left = p->first;
        p->first = NULL;
        p->end = &p->first;
    }
    p->closing = true;
#if BUG == 2 /* wakes one worker: the others sleep on, and are waited for */
    pthread_cond_signal(&p->work);
#else
    pthread_cond_broadcast(&p->work);
#endif
    pthread_mutex_unlock(&p->mutex);
    for (size_t i = 0; i < p->worker_count; i++)
        pthread_join(p->workers[i], NULL);
    release(p);
    return discard(left);
}

pool *pool_create(size_t workers)
{
    pool *p = calloc(1, sizeof *p + workers * sizeof *p->workers);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->idle, NULL);
    p->end = &p->first;
    for (size_t i = 0; i < workers; i++) {
        if (pthread_create(&p->workers[i], NULL, worker, p) != 0) {
            pool_destroy(p, POOL_DISCARD);
            return NULL;
        }
        p->worker_count++;
    }
    return p;
}
