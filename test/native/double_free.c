// Both free the block if both look before either has said that it is gone. FIXED: with an exchange.
// expect: unsafe memory 18
// args: -DFIXED
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic p;

static void *worker(void *arg) {
#ifdef FIXED
  int *mine = atomic_exchange(&p, NULL);
#else
  int *mine = p;
  p = NULL;
#endif
  free(mine);
  return arg;
}

int main(void) {
  pthread_t t[2];
  p = malloc(sizeof *p);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
