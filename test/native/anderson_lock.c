// Anderson's array lock: each thread spins on a slot of its own. BUG: fewer slots than threads: two get the same one.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 23
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
#ifdef BUG
#define SLOTS 1
#else
#define SLOTS 3
#endif
static atomic_int may_enter[SLOTS] = {1}, inside;
static atomic_uint next_slot;

static void *worker(void *arg) {
  (void)arg;
  unsigned slot = atomic_fetch_add(&next_slot, 1) % SLOTS;
  while (!may_enter[slot]) {
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  may_enter[slot] = 0;
  may_enter[(slot + 1) % SLOTS] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
