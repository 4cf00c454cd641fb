// Signals that a program sends to itself: handlers where they are raised, blocked ones taken with sigwait and sigsuspend.
// expect: safe
// args: -DCASE=1
// expect: safe
// args: -DCASE=2
// expect: safe full=yes
// args: -DCASE=3
// expect: unsafe deadlock *
// args: -DCASE=4
// expect: unsafe crash *
// args: -DCASE=5
// expect: incomplete which does not block it
// args: -DCASE=6
// expect: safe full=yes
// args: -DCASE=7
// expect: unsafe data-race *
// args: -DCASE=8
// expect: incomplete pause()
// args: -DCASE=9
// expect: unsafe assertion *
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
static volatile sig_atomic_t handled, last;
static atomic_int taken;
static int plain;

static void handler(int number) {
  handled++;
  last = number;
#if CASE == 7
  plain++;
#endif
}

static void with_information(int number, siginfo_t *information, void *context) {
  assert(information->si_signo == number);
  (void)context;
  handled++;
}

static sigset_t set_of(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

static void *waits(void *arg) {
  sigset_t set = set_of(SIGUSR1), none;
  int number = 0;
  sigemptyset(&none);
  switch (CASE) {
  case 2:
    sigwait(&set, &number);
    assert(number == SIGUSR1);
    taken = 1;
    break;
  case 3:
    set = set_of(SIGUSR2);
    sigwait(&set, &number);
    break;
  case 6:
    assert(sigsuspend(&none) == -1 && errno == EINTR);
    assert(handled == 1);
    break;
  case 7:
    plain++;
    break;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = handler}, old;
  sigset_t set = set_of(SIGUSR1), pending;
  sigaction(SIGUSR1, &action, &old);
  assert(old.sa_handler == SIG_DFL);
#if CASE == 0
  raise(SIGUSR1);
  assert(handled == 1 && last == SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  assert(handled == 1 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  assert(handled == 2);
  pthread_kill(pthread_self(), SIGUSR1);
  kill(getpid(), SIGUSR1);
  assert(handled == 4);
  assert(signal(SIGUSR2, SIG_IGN) == SIG_DFL && raise(SIGUSR2) == 0 && raise(SIGCHLD) == 0);
#elif CASE == 1
  action.sa_sigaction = with_information;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigaction(SIGUSR2, &action, NULL);
  raise(SIGUSR2);
  sigaction(SIGUSR2, NULL, &old);
  assert(handled == 1 && old.sa_handler == SIG_DFL);
#elif CASE == 4
  raise(SIGTERM);
#elif CASE == 8
  pause();
#elif CASE == 9
  raise(SIGABRT);
#else
#if CASE != 5 && CASE != 7
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  pthread_create(&t, NULL, waits, NULL);
#if CASE == 2
  kill(getpid(), SIGUSR1);
#elif CASE == 7
  raise(SIGUSR1);
#else
  pthread_kill(t, SIGUSR1);
#endif
  pthread_join(t, NULL);
#if CASE == 2
  assert(taken);
#endif
#endif
}
