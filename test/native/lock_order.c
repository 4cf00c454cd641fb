// Two locks in opposite orders. The second thread waits until the first one is done, so that they are never in each other's
// way: no deadlock here, but a warning. RIGHT: both take them in the same order. GATE: a third lock keeps them apart. TRY:
// who only tries does not wait. ALONE: main takes them in the other order when it is alone. ONE: the same thread does both.
// SECTION: an atomic section waits for what it takes in front of it, with what was held before; SECTION_BOTH: it takes both.
// expect: safe warns=lock-order:36
// args: -DRIGHT
// expect: safe warns=none
// args: -DGATE
// expect: safe warns=none
// args: -DTRY
// expect: safe warns=none
// args: -DALONE
// expect: safe warns=none
// args: -DONE
// expect: safe warns=none
// args: -DSECTION
// expect: safe warns=lock-order:36
// args: -DSECTION_BOTH
// expect: safe warns=none
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

#ifdef SECTION
#define BEGIN mz_atomic_begin()
#define END mz_atomic_end()
#else
#define BEGIN (void)0
#define END (void)0
#endif

static void take(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer), BEGIN, pthread_mutex_lock(inner);
  pthread_mutex_unlock(inner), END, pthread_mutex_unlock(outer);
}

static void *first(void *arg) {
#ifdef GATE
  pthread_mutex_lock(&gate);
#endif
#ifdef SECTION_BOTH
  mz_atomic_begin();
#endif
  take(&a, &b);
#ifdef SECTION_BOTH
  mz_atomic_end();
#endif
#ifdef ONE
  take(&b, &a);
#endif
#ifdef GATE
  pthread_mutex_unlock(&gate);
#endif
  sem_post(&done);
  return arg;
}

static void *second(void *arg) {
#ifdef GATE
  pthread_mutex_lock(&gate);
  take(&b, &a);
  pthread_mutex_unlock(&gate);
  return arg;
#endif
  sem_wait(&done);
#ifdef RIGHT
  take(&a, &b);
#elif defined TRY
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0)
    pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
#elif !defined ALONE && !defined ONE
  take(&b, &a);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  sem_init(&done, 0, 0);
#ifdef ALONE
  take(&b, &a);
#endif
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
#ifdef ALONE
  take(&b, &a);
#endif
  return 0;
}
