// A pool of two threads works through two jobs; main shuts it down and waits for it.
// BUG: shutting down wakes nobody.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 26|58
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 2
struct job {
  struct job *next;
  int input;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int closing, sum;

static void *worker(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!jobs && !closing)
      pthread_cond_wait(&more, &lock);
    struct job *j = jobs;
    if (!j)
      break;
    jobs = j->next;
    sum += j->input * j->input;
    free(j);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  for (int i = 1; i <= JOBS; i++) {
    struct job *j = malloc(sizeof *j);
    j->input = i;
    j->next = jobs;
    jobs = j;
    pthread_cond_signal(&more);
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  closing = 1;
#ifndef BUG
  pthread_cond_broadcast(&more);
#endif
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(t[i], NULL);
  assert(sum == 5);
}
