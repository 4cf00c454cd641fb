// Two threads add each other's number to their own, N times: neither gets beyond the Fibonacci number F(2N+2).
// Traces: 3, 19, 141, 1107 for N = 1 … 4 by enumeration, the central trinomial coefficients of 2N.
// args: -DN=2
// expect: safe traces=19
// args: -DN=4
// expect: safe traces=1107
// args: -DN=3 -DBUG
// expect: unsafe assertion 54
// args: -DN=3 -DPUBLISHED
// expect: safe traces=1698
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif
static atomic_int i = 1, j = 1;

static void *one(void *arg) {
  for (int k = 0; k < N; k++)
    i = i + j;
  return arg;
}

static void *two(void *arg) {
  for (int k = 0; k < N; k++)
    j = j + i;
  return arg;
}

static int limit(void) {
  int a = 0, b = 1; // F(0), F(1)
  for (int k = 0; k < 2 * N + 2; k++) {
    int next = a + b;
    a = b;
    b = next;
  }
  return a;
}

int main(void) {
  pthread_t t[2];
  int most = limit();
#ifdef BUG
  most--;
#endif
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
#ifndef PUBLISHED // where main looks while the others are still at it
  for (int k = 0; k < 2; k++)
    pthread_join(t[k], NULL);
#endif
  assert(i <= most && j <= most);
}
