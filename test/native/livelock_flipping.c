// Two threads turn a switch to their own sides again and again until it is settled, which nobody ever says: each of
// them makes progress in the other's eyes, so that only the bound on an execution ends it.
// expect: incomplete longer than
#include <pthread.h>
#include <stdatomic.h>

static atomic_int side, settled;

static void *worker(void *arg) {
  int me = (int)(long)arg;
  while (!settled)
    side = me;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
