// main leaves with pthread_exit; the others go on, and what they find counts. BUG: one of them fails after main's end.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 15
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int main_leaves, seen;

static void *worker(void *arg) {
  while (!main_leaves) {
  }
#ifdef BUG
  assert(atomic_fetch_add(&seen, 1) == 0);
#else
  atomic_fetch_add(&seen, 1);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  main_leaves = 1;
  pthread_exit(NULL);
}
