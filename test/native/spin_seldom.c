// A thread waits in a loop in few of the executions only, which a search comes to late. A round of the loop in vain is nothing
// that has happened, then, too: the traces are the orders of the seven additions, 7!, however long the search takes to find that out.
// expect: safe traces=5040 refined=64
#include <pthread.h>
#include <stdatomic.h>

enum { ADDERS = 6 };

static atomic_int sum, go_on;

static void *adds(void *arg) {
  atomic_fetch_add(&sum, 1 << (long)arg);
  return NULL;
}

static void *waits_after_the_last_three(void *arg) {
  if (atomic_fetch_add(&sum, 1 << ADDERS) == (1 << 5 | 1 << 4 | 1 << 3))
    while (!atomic_load(&go_on))
      ;
  return arg;
}

static void *lets_it_go_on(void *arg) {
  atomic_store(&go_on, 1);
  return arg;
}

int main(void) {
  pthread_t t[ADDERS + 2];
  pthread_create(&t[0], NULL, lets_it_go_on, NULL);
  pthread_create(&t[1], NULL, waits_after_the_last_three, NULL);
  for (long i = 0; i < ADDERS; i++)
    pthread_create(&t[2 + i], NULL, adds, (void *)i);
  for (int i = 0; i < ADDERS + 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
