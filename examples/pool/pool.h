/* A thread pool: a fixed number of workers carry out jobs in the order in which they were submitted. */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool pool;
typedef void pool_job(void *argument);

/* A pool with that many workers; NULL if there is not enough memory, or no thread can be created. */
pool *pool_create(size_t workers);

/* Have job(argument) called by some worker. False if there is no memory, or the pool is being shut down.
 * A job may submit further jobs. */
bool pool_submit(pool *p, pool_job *job, void *argument);

/* Wait until every job submitted so far has been carried out. Not to be called by a job. */
void pool_wait(pool *p);

typedef enum pool_end {
    POOL_FINISH, /* carry out what was submitted */
    POOL_DISCARD /* forget the jobs that nobody has begun */
} pool_end;

/* Take no further jobs, wait for the workers, and release the pool. Returns how many jobs were discarded. */
size_t pool_destroy(pool *p, pool_end how);

#endif
