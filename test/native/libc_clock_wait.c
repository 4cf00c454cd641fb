// A loop that waits with a pause is a loop that waits; one that waits until some time ends by itself.
// expect: safe
// args: -DNEVER
// expect: unsafe livelock *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready, seen;

static void *setter(void *arg) {
#ifndef NEVER
  atomic_store(&ready, 1);
#endif
  return arg;
}

static void *waiter(void *arg) {
  while (!atomic_load(&ready))
    usleep(100);
  atomic_store(&seen, 1);
  return arg;
}

int main(void) {
  pthread_t t[2];
  time_t limit = time(NULL) + 2;
  pthread_create(&t[0], NULL, setter, NULL);
  pthread_create(&t[1], NULL, waiter, NULL);
  while (time(NULL) < limit)
    sleep(1);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load(&seen));
}
// compilers: clang sees that nobody sets the variable (NEVER) and leaves out the load: the loop has no event left
