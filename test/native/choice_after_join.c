// What a thread chooses after it has joined another one belongs to neither's last operation: these happen in any order. With
// 0 chosen there are 4 traces, by who comes first at x, and at y. With 1 the chooser adds to x, after both of the others: once
// both were before `both`, before or after that (2), otherwise after it (3 × 1).
// MAIN: main is the one to choose. CREATES: a thread that is created after the join is. TIMED: the ends of threads are events,
// because main has waited for one with a time limit, in vain or not: each of the traces is there twice.
// expect: safe traces=9 refined=2
// args: -DMAIN
// expect: safe traces=9 refined=2
// args: -DCREATES
// expect: safe traces=9 refined=2
// args: -DTIMED
// expect: safe traces=18 refined=4
// args: -DBROKEN
// expect: unsafe assertion 63
// args: -DBROKEN -DMAIN
// expect: unsafe assertion 63
// args: -DBROKEN -DCREATES
// expect: unsafe assertion 63
// args: -DBROKEN -DTIMED
// expect: unsafe assertion 63
#define _GNU_SOURCE
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int x, y;

static void *ends(void *arg) {
  atomic_fetch_add(&x, 1);
  return arg;
}

static void *quick(void *arg) { return arg; }

static void *chooses(void *arg) {
  if (mz_choose(0, 1))
    atomic_fetch_add(&x, 2);
  return arg;
}

static void *joins(void *arg) {
  pthread_t t;
  pthread_create(&t, NULL, ends, NULL);
  atomic_fetch_add(&y, 1);
  pthread_join(t, NULL);
#ifdef CREATES
  pthread_create(&t, NULL, chooses, NULL);
  pthread_join(t, NULL);
  return arg;
#elif defined(MAIN)
  return arg;
#else
  return chooses(arg);
#endif
}

static void *both(void *arg) {
  int before = atomic_fetch_add(&x, 4);
  atomic_fetch_add(&y, 4);
#ifdef BROKEN
  assert(before != 3);
#endif
  (void)before;
  return arg;
}

int main(void) {
  pthread_t t[2];
#ifdef TIMED
  struct timespec soon = {1, 0};
  pthread_t short_lived;
  pthread_create(&short_lived, NULL, quick, NULL);
  if (pthread_timedjoin_np(short_lived, NULL, &soon) != 0)
    pthread_join(short_lived, NULL);
#endif
  (void)quick;
  pthread_create(&t[0], NULL, joins, NULL);
  pthread_create(&t[1], NULL, both, NULL);
  pthread_join(t[0], NULL);
#ifdef MAIN
  chooses(NULL);
#endif
  pthread_join(t[1], NULL);
  return 0;
}
