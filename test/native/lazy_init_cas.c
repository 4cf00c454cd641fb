// Lazy creation without a lock: who loses the race to publish its object frees it and takes the winner's.
// BUG: the loser keeps its own.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 43
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static int *get(void) {
  int *there = instance;
  if (there)
    return there;
  int *mine = malloc(sizeof *mine);
  *mine = 42;
  if (atomic_compare_exchange_strong(&instance, &there, mine))
    return mine;
#ifdef BUG
  return mine;
#else
  free(mine);
  return there;
#endif
}

static void *user(void *arg) {
  int *o = get();
  assert(*o == 42);
  *(int **)arg = o;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int *seen[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, user, &seen[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(seen[0] == seen[1]);
  free(instance);
}
