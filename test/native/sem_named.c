// A semaphore by its name, opened by two threads, whoever comes first. EXCLUSIVE: the second is told that it is
// there, and does not count.
// expect: safe
// args: -DEXCLUSIVE
// expect: unsafe assertion 31
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int counter;

static void *worker(void *arg) {
#ifdef EXCLUSIVE
  sem_t *s = sem_open("/counter", O_CREAT | O_EXCL, 0600, 1);
#else
  sem_t *s = sem_open("/counter", O_CREAT, 0600, 1);
#endif
  if (s != SEM_FAILED) {
    sem_wait(s);
    counter++;
    sem_post(s);
    sem_close(s);
  }
  return arg;
}

static void check(void) {
  assert(sem_open("/nothing", 0) == SEM_FAILED && errno == ENOENT);
  assert(counter == 2);
  assert(sem_unlink("/counter") == 0);
  assert(sem_unlink("/counter") == -1 && errno == ENOENT);
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  check();
}
