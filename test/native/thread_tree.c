// Threads that create threads: a tree of depth 2 with four leaves, each adds to one counter: 4! traces.
// expect: safe traces=24 refined=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int leaves;

static void *grow(void *arg) {
  long depth = (long)arg;
  if (depth == 0) {
    atomic_fetch_add(&leaves, 1);
    return NULL;
  }
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, grow, (void *)(depth - 1));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return NULL;
}

int main(void) {
  grow((void *)2);
  assert(leaves == 4);
}
