// Many threads at once, each with a mutex of its own and one atomic variable for every two of them.
// args: -DTHREADS=200
// expect: safe traces=1
// args: -DTHREADS=200 -DPAIRS=6
// expect: safe traces=64
// args: -DTHREADS=256 -DPAIRS=1 -DWRONG
// expect: unsafe assertion 24
// args: -DTHREADS=1100
// expect: incomplete the program has more than 1024 threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef PAIRS
#define PAIRS 0
#endif

static pthread_mutex_t own[THREADS];
static int counts[THREADS];
static atomic_int first[THREADS];

static void *works(void *arg) {
  int i = (int)(long)arg;
#ifdef WRONG
  assert(i / 2 < THREADS / 2 - PAIRS || atomic_exchange(&first[i / 2], 1) == 0);
#else
  if (i / 2 >= THREADS / 2 - PAIRS)
    atomic_exchange(&first[i / 2], i);
#endif
  pthread_mutex_lock(&own[i]);
  counts[i]++;
  pthread_mutex_unlock(&own[i]);
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++) {
    pthread_mutex_init(&own[i], NULL);
    pthread_create(&t[i], NULL, works, (void *)i);
  }
  for (long i = 0; i < THREADS; i++) {
    pthread_join(t[i], NULL);
    assert(counts[i] == 1);
  }
}
