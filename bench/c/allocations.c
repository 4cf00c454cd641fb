// Two threads allocate and free N blocks altogether, several alive at a time, and add to one counter in the end. Traces: 2.
// args: -DN=100
// expect: safe traces=2 refined=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 10000
#endif
#define ALIVE 8
static atomic_int total;

static void *worker(void *arg) {
  int *alive[ALIVE] = {0}, sum = 0;
  for (int i = 0; i < N / 2 + ALIVE; i++) {
    int **place = &alive[i % ALIVE];
    if (*place)
      sum += **place;
    free(*place);
    *place = NULL;
    if (i < N / 2) {
      *place = malloc(sizeof **place * (size_t)(1 + i % 16));
      **place = 1;
    }
  }
  atomic_fetch_add(&total, sum);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(total == N / 2 * 2);
}
