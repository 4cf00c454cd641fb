// The stack of a thread that has ended, and frames of functions that have returned, belong to nobody, also where all accesses
// are in order. What a function's caller has given it is there as long as the caller is.
// expect: safe
// args: --cflags=-O2
// expect: safe
// args: -DKIND=1
// expect: unsafe memory 59
// args: -DKIND=1 --cc=clang
// expect: unsafe memory 59
// args: -DKIND=2
// expect: unsafe memory 64
// args: -DKIND=2 --cc=clang
// expect: unsafe memory 64
// args: -DKIND=2 --cflags=-O2
// expect: unsafe memory 64
// args: -DKIND=3
// expect: unsafe memory 69
// args: -DKIND=4
// expect: unsafe memory 46
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int *volatile p;
static _Thread_local int own;
static sem_t ready, done;

static __attribute__((noinline)) void lets_go(void) {
  volatile int local = 1; // its address outlives it
  p = (int *)&local;
}

static void *leaves(void *a) {
  int local[4] = {1, 2, 3, 4};
  p = a ? &own : &local[1];
  return NULL;
}

static void *uses(void *a) {
  sem_wait(&ready);
#if KIND != 4
  *p += 1; // its frame is there: it waits
  sem_post(&done);
#else
  (void)a;
  *p += 1; // its frame is gone: it waits further up
  sem_post(&done);
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  sem_init(&done, 0, 0);
#if KIND == 1
  pthread_create(&t, NULL, leaves, NULL);
  pthread_join(t, NULL);
  return *p == 0;
#elif KIND == 2
  t = 0;
  (void)t;
  lets_go();
  *p = 2;
#elif KIND == 3
  pthread_create(&t, NULL, leaves, &t);
  pthread_join(t, NULL);
  // a thread-local variable of a thread that was
  return *p;
#else
  int local = 1;
  p = &local;
  pthread_create(&t, NULL, uses, NULL);
#if KIND == 4
  lets_go();
#endif
  sem_post(&ready);
  sem_wait(&done);
  pthread_join(t, NULL);
#endif
  return 0;
}
