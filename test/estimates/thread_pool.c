/* A thread pool: one mutex, a condition variable for work and one for the end of it; W workers, J jobs. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct job {
  int *done;
  struct job *next;
} job;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static job *first, *last;
static int busy, stop;

static void run(job *j) {
  ++*j->done;
  free(j);
}

static job *take(void) {
  while (!first && !stop)
    pthread_cond_wait(&work, &mutex);
  job *j = first;
  if (j)
    first = j->next;
  if (!first)
    last = NULL;
  return j;
}

static void *worker(void *arg) {
  job *j;
  pthread_mutex_lock(&mutex);
  while ((j = take())) {
    busy++;
    pthread_mutex_unlock(&mutex);
    run(j);
    pthread_mutex_lock(&mutex);
    if (--busy == 0 && !first)
      pthread_cond_signal(&idle);
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void add(int *done) {
  job *j = malloc(sizeof *j);
  *j = (job){done, NULL};
  pthread_mutex_lock(&mutex);
  if (last)
    last->next = j;
  else
    first = j;
  last = j;
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&mutex);
}

static void shut_down(void) {
  pthread_mutex_lock(&mutex);
  while (busy || first)
    pthread_cond_wait(&idle, &mutex);
  stop = 1;
  pthread_cond_broadcast(&work);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t threads[W];
  static int done[J];
  for (int i = 0; i < W; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < J; i++)
    add(&done[i]);
  shut_down();
  for (int i = 0; i < W; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < J; i++)
    assert(done[i] == 1);
}
