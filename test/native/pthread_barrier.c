// pthread_barrier: everyone sees what the others did before it, and exactly one is told to be the serial thread.
// BUG: the barrier waits for one more than there are.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 23|36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
#ifdef BUG
#define EXPECTED (N + 1)
#else
#define EXPECTED N
#endif
static pthread_barrier_t barrier;
static int done[N];
static atomic_int serial;

static void *worker(void *arg) {
  long me = (long)arg;
  done[me] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    atomic_fetch_add(&serial, 1);
  for (int i = 0; i < N; i++)
    assert(done[i]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&barrier, NULL, EXPECTED);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  pthread_barrier_destroy(&barrier);
  assert(serial == 1);
}
