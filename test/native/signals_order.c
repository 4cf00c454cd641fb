// What was done before a signal was sent comes before what is done after it was taken, and nothing else does.
// expect: safe full=yes
// args: -DCASE=1
// expect: safe full=yes
// args: -DCASE=2
// expect: safe
// args: -DCASE=3
// expect: safe
// args: -DCASE=4
// expect: safe full=yes
// args: -DCASE=5
// expect: safe
// args: -DCASE=6
// expect: unsafe data-race *
// args: -DCASE=7
// expect: unsafe data-race *
// args: -DCASE=8
// expect: unsafe data-race *
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
static int x, y;
static atomic_int sent;
static pthread_t receiver;

static void handler(int number) {
  (void)number;
  assert(x == 1);
}

static sigset_t set_of(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

static void take(void) {
  sigset_t set = set_of(SIGUSR1), others;
  int number = 0;
  switch (CASE) {
  case 1:
    assert(sigwaitinfo(&set, NULL) == SIGUSR1);
    break;
  case 2:
    if (sigtimedwait(&set, NULL, &(struct timespec){1, 0}) != SIGUSR1)
      pthread_exit(NULL);
    break;
  case 3: // the handler is called before it returns; the flag orders nothing
    while (!atomic_load_explicit(&sent, memory_order_relaxed))
      ;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    break;
  case 4:
    pthread_sigmask(SIG_SETMASK, NULL, &others);
    sigdelset(&others, SIGUSR1);
    sigsuspend(&others);
    break;
  case 5:
    sigpending(&others);
    if (!sigismember(&others, SIGUSR1))
      pthread_exit(NULL);
    break;
  default:
    sigwait(&set, &number);
    assert(number == SIGUSR1);
  }
}

static void *takes(void *arg) {
  if (CASE == 7)
    y = 1;
  take();
  assert(x == 1);
  return arg;
}

// Only a relaxed store tells that it has been here.
static void *sends_another(void *arg) {
  x = 1;
  pthread_kill(receiver, SIGUSR2);
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t other;
  sigset_t set = set_of(SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (CASE == 3 || CASE == 4)
    signal(SIGUSR1, handler);
  pthread_create(&receiver, NULL, takes, NULL);
#if CASE == 8
  pthread_create(&other, NULL, sends_another, NULL);
  while (!atomic_load_explicit(&sent, memory_order_relaxed))
    ;
  pthread_kill(receiver, SIGUSR1);
  pthread_join(other, NULL);
#else
  (void)other;
  (void)sends_another;
  if (CASE != 6)
    x = 1;
  if (CASE == 1)
    kill(getpid(), SIGUSR1);
  else
    pthread_kill(receiver, SIGUSR1);
  if (CASE == 3)
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
  if (CASE == 6)
    x = 1;
  if (CASE == 7)
    y = 2;
#endif
  pthread_join(receiver, NULL);
  return 0;
}
