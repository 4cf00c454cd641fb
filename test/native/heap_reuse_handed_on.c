// What one thread has freed another one may get: the allocator orders the two, so that writing it again is no race. A flag that
// says so without any order still is none: it may have been another block.
// expect: safe
// args: --heap-reuse
// expect: safe full=yes
// args: --heap-reuse -DRACE
// expect: unsafe data-race 18|25
#include <pthread.h>
#include <stdlib.h>

static int elsewhere;

static void *writes_and_frees(void *arg) {
  int *block = malloc(sizeof *block);
  *block = 1;
#ifdef RACE
  elsewhere = 1;
#endif
  free(block);
  return arg;
}

static void *allocates(void *arg) {
  int *block = malloc(sizeof *block);
  *block = 2 + elsewhere;
  free(block);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, writes_and_frees, NULL);
  pthread_create(&u, NULL, allocates, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}
