// One writer, N - 1 readers of one atomic: each reader comes before or after it, 2^(N-1) traces.
// args: -DN=2
// expect: safe traces=2 full=yes
// args: -DN=4
// expect: safe traces=8 full=yes
// args: -DN=10
// expect: safe traces=512
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
static atomic_int x;

static void *writer(void *arg) {
  x = 42;
  return arg;
}

static void *reader(void *arg) {
  int seen = x;
  assert(seen == 0 || seen == 42);
  return arg;
}

int main(void) {
  pthread_t t[N];
  pthread_create(&t[0], NULL, writer, NULL);
  for (int i = 1; i < N; i++)
    pthread_create(&t[i], NULL, reader, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
