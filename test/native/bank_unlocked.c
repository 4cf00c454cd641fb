// A withdrawal without a lock. As data are plain, that is a race; not looking for races, the assertion is found to fail.
// expect: unsafe data-race 12|13
// args: --check=assertions
// expect: unsafe assertion 23
#include <assert.h>
#include <pthread.h>

static int balance = 100;

static void *withdraw(void *arg) {
  (void)arg;
  if (balance >= 100)
    balance -= 100;
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
