// N threads, one critical section each: they can come in every order, N! traces.
// expect: safe traces=24
// args: -DN=2
// expect: safe traces=2 full=yes
// args: -DN=5
// expect: safe traces=120
// args: -DN=2 -DBUG
// expect: unsafe data-race 22
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  counter++;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t[N];
  (void)&lock;
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(counter == N);
}
