// Only the executions in which the reader comes after the writer are of interest.
// expect: safe traces=1 pruned=1
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
  x = 1;
  return arg;
}

static void *reader(void *arg) {
  int seen = x;
  mz_assume(seen == 1);
  mz_assert(seen == 1);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
