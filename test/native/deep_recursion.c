// Ten thousand levels of recursion in each of two threads, with a common atomic at the bottom: 2 traces.
// expect: safe traces=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bottom;

static int descend(int level) {
  volatile int pad[16];
  pad[level % 16] = level;
  if (level == 0)
    return atomic_fetch_add(&bottom, 1);
  int below = descend(level - 1);
  return below + (pad[level % 16] == level ? 1 : 100000);
}

static void *worker(void *arg) {
  int sum = descend(10000);
  assert(sum == 10000 || sum == 10001);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(bottom == 2);
}
