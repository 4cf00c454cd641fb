// pthread_spin_lock, with trylock once. BUG: who does not get the lock goes on nevertheless.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 20
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int shared, done[2];

static void *worker(void *arg) {
  long me = (long)arg;
  if (pthread_spin_trylock(&lock) != 0) {
#ifndef BUG
    pthread_spin_lock(&lock);
#endif
  } else {
    done[me] = 1;
  }
  shared++;
#ifdef BUG
  if (done[me])
#endif
    pthread_spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  pthread_spin_destroy(&lock);
  assert(shared == 2 && done[0] + done[1] >= 1);
}
