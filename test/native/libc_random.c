// Random numbers are the same in every execution and for a given seed, as long as nobody else draws; the 48-bit generator is the standard's.
// expect: safe traces=2
// args: -DWRONG
// expect: unsafe assertion 33
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&m), srand(7);
  srand48(1);
  int a = rand(), b = rand();
  long c = lrand48();
  atomic_fetch_add(&x, 1);
  srand(7);
  assert(a == rand() && b == rand() && a >= 0 && a <= RAND_MAX && a != b);
  unsigned seed = 3, same = 3;
  assert(rand_r(&seed) == rand_r(&same) && seed == same);
  unsigned short state[3] = {0x330e, 1, 0};
  assert(c == nrand48(state));
  double d = drand48();
  assert(d == erand48(state) && d >= 0 && d < 1), pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[2];
#ifdef WRONG
  srand48(1), assert(lrand48() != 89400484);
#endif
  srand48(1);
  assert(lrand48() == 89400484);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
