// free of an address inside a block, and only if the other thread has moved it.
// expect: unsafe memory 21
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic p;

static void *moves(void *arg) {
  char *q = p;
  p = q + 1;
  return arg;
}

int main(void) {
  pthread_t t;
  p = malloc(8);
  pthread_create(&t, NULL, moves, NULL);
  char *q = p;
  pthread_join(t, NULL);
  free(q);
}
