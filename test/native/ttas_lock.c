// Test, then test-and-set, two threads. BUG: the second test is left out.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 22
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, inside;

static void *worker(void *arg) {
  (void)arg;
  do {
    while (lock) {
    }
#ifdef BUG
    lock = 1;
  } while (0);
#else
  } while (atomic_exchange(&lock, 1));
#endif
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  lock = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
