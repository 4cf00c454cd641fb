// Atomics on main's stack, used by two threads: 2 traces.
// expect: safe traces=2 refined=1 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *arg) {
  atomic_fetch_add((atomic_int *)arg, 1);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  atomic_int local = 0;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, &local);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(local == 2);
}
