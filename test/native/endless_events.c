// Threads that never end and make events all the time: what is wrong elsewhere is found all the same, and soon.
// OWN: nobody else has touched what such a thread uses; PAIR: two of them let each other go on; MANY: threads
// are created without end.
// args: --check=assertions --timeout=10s
// expect: unsafe assertion 63
// args: --check=assertions --timeout=10s -DOWN
// expect: unsafe assertion 63
// args: --check=assertions --timeout=10s -DPAIR
// expect: unsafe assertion 63
// args: --check=assertions --timeout=10s -DMANY
// expect: unsafe assertion 45
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int shared, count;
static sem_t full, empty;

static void *endless(void *arg) {
  for (;;)
    atomic_fetch_add(&shared, 1);
  return arg;
}

static void *producer(void *arg) {
  for (;;) {
    sem_wait(&empty);
    sem_post(&full);
  }
  return arg;
}

static void *consumer(void *arg) {
  for (;;) {
    sem_wait(&full);
    sem_post(&empty);
  }
  return arg;
}

static void *one_of_many(void *arg) {
  for (;;) {
    atomic_store(&shared, 1);
    assert(atomic_load(&shared) == 1);
    atomic_store(&shared, 0);
  }
  return arg;
}

static void *increment(void *arg) {
#if !defined OWN && !defined PAIR
  atomic_load(&shared);
#endif
  int before = atomic_load(&count);
  atomic_store(&count, before + 1);
  return arg;
}

static void wait_and_look(pthread_t *t) {
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(atomic_load(&count) == 2);
}

int main(void) {
  pthread_t t[4];
#ifdef MANY
  for (;;)
    pthread_create(&t[0], NULL, one_of_many, NULL);
#endif
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
#ifdef PAIR
  pthread_create(&t[2], NULL, producer, NULL);
  pthread_create(&t[3], NULL, consumer, NULL);
#else
  pthread_create(&t[2], NULL, endless, NULL);
#endif
  pthread_create(&t[0], NULL, increment, NULL);
  pthread_create(&t[1], NULL, increment, NULL);
  wait_and_look(t);
}
