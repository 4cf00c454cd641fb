// errno is each thread's own: another thread's failing call does not change it.
// expect: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
  errno = (int)(long)arg;
  atomic_fetch_add(&x, 1);
  assert(errno == (int)(long)arg);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  errno = 0;
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(errno == 0);
}
