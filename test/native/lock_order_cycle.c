// Three locks, each pair in one order only, but the orders go round: a before b, b before c, c before a. A semaphore keeps the
// threads apart, so that they never wait for each other. READERS: they only read, and do not make each other wait.
// expect: safe warns=lock-order:18
// args: -DREADERS
// expect: safe warns=none
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock[3] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static sem_t turn;

static void *worker(void *arg) {
  int i = *(int *)arg;
  sem_wait(&turn);
#ifdef READERS
  pthread_rwlock_rdlock(&lock[i]), pthread_rwlock_rdlock(&lock[(i + 1) % 3]);
#else
  pthread_rwlock_rdlock(&lock[i]), pthread_rwlock_wrlock(&lock[(i + 1) % 3]);
#endif
  pthread_rwlock_unlock(&lock[(i + 1) % 3]), pthread_rwlock_unlock(&lock[i]);
  sem_post(&turn);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  int number[3];
  sem_init(&turn, 0, 1);
  for (int i = 0; i < 3; i++) {
    number[i] = i;
    pthread_create(&t[i], NULL, worker, &number[i]);
  }
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
