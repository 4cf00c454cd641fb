// What runs before main has its effect in every execution, once.
// expect: safe traces=2 refined=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int started, *table;
static atomic_int x;

__attribute__((constructor)) static void begin(void) {
  started++;
  table = calloc(4, sizeof *table);
  table[3] = 42;
}

static void *worker(void *arg) {
  atomic_fetch_add(&x, table[3]);
  return arg;
}

int main(void) {
  pthread_t t[2];
  assert(started == 1 && table[3] == 42);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x == 84);
  table[3] = 0;
  started++;
}
