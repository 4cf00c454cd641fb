// A block is freed while another thread writes to it, and does more after that. If the free comes first the writer fails there: what
// follows is not to be planned ahead. Three traces: the writer fails; otherwise its store comes before or after the load.
// KEPT: nobody frees the block, and there are two.
// args: --races=ignore --all-errors
// expect: unsafe memory 16 traces=3
// args: --races=ignore -DKEPT
// expect: safe traces=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static char *block;

static void *writes(void *arg) {
  block[0] = 1;
  atomic_store(&done, 1);
  return arg;
}

static void *frees(void *arg) {
#ifndef KEPT
  free(block);
#endif
  return arg;
}

static void *looks(void *arg) {
  (void)atomic_load(&done);
  return arg;
}

int main(void) {
  static void *(*const functions[])(void *) = {writes, frees, looks};
  pthread_t t[3];
  block = malloc(1);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, functions[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  return 0;
}
