// A use after free, a second free, a leak and memory that was never written are found with --heap-reuse, too: also where the
// block is that of somebody else by then.
// args: --heap-reuse -DUSE
// expect: unsafe memory 22
// args: --heap-reuse -DTWICE
// expect: unsafe memory 25
// args: --heap-reuse --check=default,leaks -DLEAK
// expect: unsafe leak 33
// args: --heap-reuse --check=default,uninitialised -DREAD
// expect: unsafe uninitialised 36
// args: --heap-reuse --check=default,leaks,uninitialised
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *frees(void *arg) {
  int *block = malloc(2 * sizeof *block);
  block[0] = block[1] = 1;
  free(block);
#ifdef USE
  block[0] = 2;
#endif
#ifdef TWICE
  free(block);
  free(block);
#endif
  return arg;
}

static void *allocates(void *arg) {
  static atomic_int sum;
  int *block = malloc(2 * sizeof *block);
  block[0] = 3;
#ifdef READ
  sum += block[1];
#endif
#ifndef LEAK
  free(block);
#endif
  sum++;
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, frees, NULL);
  pthread_create(&u, NULL, allocates, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}
