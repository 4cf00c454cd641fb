// Both outcomes of every wait with a time limit are seen: MISS asserts that the time is never up, HIT that it always is.
// expect: safe full=yes
// args: -DMISS=1
// expect: unsafe assertion *
// args: -DHIT=1
// expect: unsafe assertion *
// args: -DMISS=2
// expect: unsafe assertion *
// args: -DHIT=2
// expect: unsafe assertion *
// args: -DMISS=3
// expect: unsafe assertion *
// args: -DHIT=3
// expect: unsafe assertion *
// args: -DMISS=4
// expect: unsafe assertion *
// args: -DHIT=4
// expect: unsafe assertion *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#ifndef MISS
#define MISS 0
#endif
#ifndef HIT
#define HIT 0
#endif

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;
static const struct timespec soon = {.tv_sec = 1};

static void look(int which, int e) {
  assert(e == 0 || e == ETIMEDOUT);
  assert(MISS != which || e == 0);
  assert(HIT != which || e == ETIMEDOUT);
}

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_post(&semaphore);
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, NULL, writer, NULL);
  look(1, sem_timedwait(&semaphore, &soon) == 0 ? 0 : errno);
  int e = pthread_rwlock_timedrdlock(&lock, &soon);
  look(2, e);
  if (e == 0)
    pthread_rwlock_unlock(&lock);
  e = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon);
  look(3, e);
  if (e == 0)
    pthread_rwlock_unlock(&lock);
  pthread_mutex_lock(&mutex);
  if (!value) {
    e = pthread_cond_timedwait(&changed, &mutex, &soon);
    assert(e != 0 || value); // but not the other way round: the time may be up while the mutex is taken
    look(4, e);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
}
