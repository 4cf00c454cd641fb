// Inputs of wide ranges: a mistake at both ends is found before the billions of other values are tried.
// args: -DBUG
// expect: unsafe assertion 25
// args: -DN=30
// expect: safe traces=3782
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 1000000
#endif
static atomic_int sum;
static int n, m;
static void *add(void *p) { return atomic_fetch_add(&sum, n), p; }
static void *look(void *p) {
  int before = atomic_load(&sum);
  (void)before;
  return p;
}
int main(void) {
  n = mz_input_int("n", 0, N);
  m = mz_input_int("m", -N, N);
#ifdef BUG
  assert(n != N || m != -N);
#endif
  pthread_t t[2];
  pthread_create(&t[0], 0, add, 0);
  pthread_create(&t[1], 0, look, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
