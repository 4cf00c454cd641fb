// Thirty threads with nothing in common but their end: one trace.
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 30
static atomic_int own[N];

static void *worker(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < 10; i++)
    atomic_fetch_add(&own[me], i);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    assert(own[i] == 45);
}
