// A thread spins on a flag that is set only if it was seen to be needed: in the other order nobody sets it any more.
// expect: unsafe livelock 12|28
// args: --check=assertions
// expect: safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int needed, flag;

static void *waiter(void *arg) {
  needed = 1;
  while (!flag) {
  }
  return arg;
}

static void *setter(void *arg) {
  if (needed)
    flag = 1;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, waiter, NULL);
  pthread_create(&t[1], NULL, setter, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
