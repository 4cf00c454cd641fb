// A local variable that another thread uses, and whose function returns in order: it has ended with its function, and not once more
// with the thread.
// expect: safe
// args: --races=ignore
// expect: safe
// args: -DSTALE
// expect: unsafe memory * or data-race *
#include <pthread.h>
#include <semaphore.h>

static int *lent;
static sem_t given, back;
static __attribute__((noinline)) void lend(void) {
  int own = 0;
  lent = &own;
  sem_post(&given);
#ifndef STALE
  sem_wait(&back);
#endif
}
static void *uses(void *arg) {
  sem_wait(&given);
  *lent = 1;
  sem_post(&back);
  return arg;
}
static void *lends(void *arg) {
  lend();
  return arg;
}
int main(void) {
  pthread_t t, u;
  sem_init(&given, 0, 0);
  sem_init(&back, 0, 0);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, lends, NULL);
  pthread_join(t, NULL);
  return pthread_join(u, NULL);
}
