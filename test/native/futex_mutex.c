// A mutex of an atomic word and a futex. LOST: who gives it does not look whether somebody waits. EARLY: it wakes before it gives. TWICE: no mutual exclusion.
// expect: safe full=yes
// args: -DTHREADS=3
// expect: safe
// args: -DLOST
// expect: unsafe deadlock *
// args: -DEARLY
// expect: unsafe deadlock *
// args: -DTWICE
// expect: unsafe data-race * or assertion *
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 2
#endif
static atomic_int word; /* 0 free, 1 taken, 2 taken and somebody may wait */
static int value;

static void wait_while(int seen) { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0); }
static void wake_one(void) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1); }

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1))
    return;
#ifdef TWICE
  return;
#endif
  if (seen != 2)
    seen = atomic_exchange(&word, 2);
  while (seen != 0) {
    wait_while(2);
    seen = atomic_exchange(&word, 2);
  }
}

static void unlock(void) {
#ifdef LOST
  atomic_store(&word, 0);
#elif defined EARLY
  if (atomic_load(&word) == 2)
    wake_one();
  atomic_store(&word, 0);
#else
  if (atomic_exchange(&word, 0) == 2)
    wake_one();
#endif
}

static void *worker(void *arg) {
  lock();
  value++;
  unlock();
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(value == THREADS);
}
