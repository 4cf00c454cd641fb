// Lamport's bakery for two threads. BUG: nobody waits for a thread that is still choosing its number.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2
static atomic_int choosing[N], number[N], inside;

static void *customer(void *arg) {
  long me = (long)arg;
  choosing[me] = 1;
  int max = 0;
  for (int j = 0; j < N; j++) {
    int n = number[j];
    max = n > max ? n : max;
  }
  number[me] = max + 1;
  choosing[me] = 0;
  for (int j = 0; j < N; j++) {
    if (j == me)
      continue;
#ifndef BUG
    while (choosing[j]) {
    }
#endif
    for (;;) {
      int n = number[j];
      if (n == 0 || n > max + 1 || (n == max + 1 && j > me))
        break;
    }
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  number[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, customer, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
