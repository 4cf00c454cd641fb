// A pool of threads that is made and taken down fifty times. BUG: of the last one a worker is waited for too late.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 26|40
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { POOLS = 50, WORKERS = 2 };
typedef struct pool {
  pthread_t threads[WORKERS];
  pthread_mutex_t lock;
  sem_t work;
  int done, stop;
} pool;

static int total;

static void *worker(void *arg) {
  pool *p = arg;
  sem_wait(&p->work);
  pthread_mutex_lock(&p->lock);
  p->done++;
  pthread_mutex_unlock(&p->lock);
  if (p->stop)
    total++;
  return NULL;
}

int main(void) {
  for (int i = 0; i < POOLS; i++) {
    pool p = {.lock = PTHREAD_MUTEX_INITIALIZER};
    sem_init(&p.work, 0, 0);
    p.stop = i == POOLS - 1;
    for (int w = 0; w < WORKERS; w++) {
      pthread_create(&p.threads[w], NULL, worker, &p);
      sem_post(&p.work);
#ifdef BUG
      if (p.stop && w == WORKERS - 1)
        total++;
#endif
      pthread_join(p.threads[w], NULL);
    }
    assert(p.done == WORKERS || p.stop);
  }
}
