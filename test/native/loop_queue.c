// A server: main takes requests from outside, two workers take them from a locked queue. Only main has a boundary: it
// passes when the workers wait for more. Blocks come and go; their addresses at a boundary do not depend on how many
// there were. BROKEN: a request is taken without the lock, so that two workers may serve the same one. NO_WAKE: the
// stop request wakes one worker only, and the other one waits for ever, after any number of iterations.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DBROKEN
// expect: unsafe data-race|memory *
// args: -DNO_WAKE
// expect: unsafe deadlock *
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct item {
  struct item *next;
  int kind;
} item;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static item *head;
static int stop, value;

static item *take(void) {
  pthread_mutex_lock(&lock);
  while (!head && !stop)
    pthread_cond_wait(&ready, &lock);
#ifdef BROKEN
  pthread_mutex_unlock(&lock);
#endif
  item *i = head;
  if (i)
    head = i->next;
#ifdef BROKEN
  pthread_mutex_lock(&lock);
#endif
  if (i && i->kind)
    value ^= 1;
  pthread_mutex_unlock(&lock);
  return i;
}

static void *worker(void *arg) {
  for (item *i; (i = take());)
    free(i);
  return arg;
}

static void put(int kind) {
  item *i = malloc(sizeof *i);
  i->kind = kind;
  pthread_mutex_lock(&lock);
  i->next = head;
  head = i;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (;;) {
    mz_loop_boundary();
    mz_assert(!head);
    int kind = mz_choose(0, 2);
    if (kind == 2)
      break;
    put(kind);
    put(1);
  }
  pthread_mutex_lock(&lock);
  stop = 1;
#ifdef NO_WAKE
  pthread_cond_signal(&ready);
#else
  pthread_cond_broadcast(&ready);
#endif
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
