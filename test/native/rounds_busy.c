// The first round of the loop changes what is the own of its thread, and all others change nothing: it waits for ever.
// expect: unsafe livelock *
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, own;
static void *worker(void *argument)
{
  atomic_fetch_add(&turn, 1);
  while (turn == 1)
    atomic_fetch_or(&own, 1);
  return argument;
}

static void *other(void *argument) { return turn > 1 ? NULL : argument; }

int main(void)
{
  pthread_t t[2];
  pthread_create(&t[0], NULL, worker, NULL);
  pthread_create(&t[1], NULL, other, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return own;
}
