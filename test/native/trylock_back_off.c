// Locks in opposite orders, but the second one is only tried: who does not get it gives the first one back, twice at most, and
// then takes both in the order of their addresses.
// expect: safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int shared;

static void take_both(long first) {
  for (int tries = 0; tries < 2; tries++) {
    pthread_mutex_lock(&lock[first]);
    if (pthread_mutex_trylock(&lock[1 - first]) == 0)
      return;
    pthread_mutex_unlock(&lock[first]);
  }
  pthread_mutex_lock(&lock[0]);
  pthread_mutex_lock(&lock[1]);
}

static void *worker(void *arg) {
  take_both((long)arg);
  shared++;
  pthread_mutex_unlock(&lock[0]);
  pthread_mutex_unlock(&lock[1]);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(shared == 2);
}
