// Flanagan and Godefroid's indexer: N threads put 4 messages each into a hash table of 128 cells with compare-and-swap. No two
// threads meet up to N = 11. Traces: 1 for N <= 11, 8^(N-11) for 11 <= N <= 22.
// args: -DN=2
// expect: safe traces=1
// args: -DN=12
// expect: safe traces=8
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MESSAGES 4
static atomic_int table[SIZE];

static void *worker(void *arg) {
  int me = (int)(long)arg;
  for (int m = 1; m <= MESSAGES; m++) {
    int w = m * 11 + me, h = w * 7 % SIZE, empty = 0;
    while (!atomic_compare_exchange_strong(&table[h], &empty, w)) {
      h = (h + 1) % SIZE;
      empty = 0;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
