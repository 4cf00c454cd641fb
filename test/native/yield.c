// mz_yield says that a loop waits for others, and changes nothing else.
// expect: safe
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *worker(void *arg) {
  int me = (int)(long)arg;
  while (turn != me)
    mz_yield();
  turn = me + 1;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  mz_assert(turn == 3);
}
