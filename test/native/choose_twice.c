// Choices of two threads, and what they choose decides what they do: 3 * 2 combinations; where both add to x (2 of the 6)
// there are 2 orders: 8 traces.
// expect: safe traces=8 refined=6
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one(void *arg) {
  if (mz_choose(0, 2) > 0)
    atomic_fetch_add(&x, 1);
  return arg;
}

static void *two(void *arg) {
  if (mz_choose(0, 1) > 0)
    atomic_fetch_add(&x, 2);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x <= 3);
}
