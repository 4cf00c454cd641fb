// Atomic operations, but the look and the withdrawal are two of them. FIXED: compare-and-swap.
// expect: unsafe assertion 30
// args: -DFIXED
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance = 100;

static void *withdraw(void *arg) {
  (void)arg;
#ifdef FIXED
  int seen = balance;
  while (seen >= 100 && !atomic_compare_exchange_strong(&balance, &seen, seen - 100)) {
  }
#else
  if (balance >= 100)
    atomic_fetch_sub(&balance, 100);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, withdraw, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(balance >= 0);
}
