// A withdrawal without a lock. As data are plain, that is a race; if races are not looked for, the bank pays twice.
// expect: unsafe data-race 11|12
// args: --check=assertions
// expect: unsafe assertion 24
#include <assert.h>
#include <pthread.h>

static int balance = 100, paid[2];

static void *withdraw(void *arg) {
  if (balance >= 100) {
    balance -= 100;
    paid[(long)arg] = 100;
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, withdraw, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(paid[0] + paid[1] == 100);
}
