// One writer, N - 1 readers of one variable: each reader comes before or after the writer. Traces: 2^(N-1).
// args: -DN=2
// expect: safe traces=2
// args: -DN=6
// expect: safe traces=32
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 9
#endif
static atomic_int x;

static void *writer(void *arg) {
  x = 42;
  return arg;
}

static void *reader(void *arg) {
  return x == 0 ? arg : NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_create(&t[0], NULL, writer, NULL);
  for (int i = 1; i < N; i++)
    pthread_create(&t[i], NULL, reader, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
