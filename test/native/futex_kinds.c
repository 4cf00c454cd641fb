// Bits, time limits, numbers of threads and requeueing of futexes. WRONG: what is not so.
// expect: safe full=yes
// args: -DCASE=1
// expect: safe full=yes
// args: -DCASE=1 -DWRONG
// expect: unsafe assertion *
// args: -DCASE=2
// expect: safe full=yes
// args: -DCASE=2 -DWRONG
// expect: unsafe deadlock *
// args: -DCASE=3
// expect: safe full=yes
// args: -DCASE=3 -DWRONG
// expect: unsafe deadlock *
// args: -DCASE=4
// expect: safe
// args: -DCASE=5
// expect: unsafe memory *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
static atomic_int word, other, waiting;

static long futex(atomic_int *at, int what, int value, void *limit, void *second, int third) {
  return syscall(SYS_futex, at, what, value, limit, second, third);
}

static void *waiter(void *arg) {
  struct timespec moment = {0, 1000};
  switch (CASE) {
  case 0: /* the value is looked at: none sleeps past it */
    while (word == 0)
      futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0);
    break;
  case 1: { /* a time limit: woken, too late, or the value had changed */
    long result = futex(&word, FUTEX_WAIT, 0, &moment, NULL, 0);
    assert(result == 0 || errno == ETIMEDOUT || errno == EAGAIN);
#ifdef WRONG
    assert(result == 0);
#endif
    break;
  }
  case 2: /* only wakes with one of its bits are for it */
    while (word == 0)
      futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 4);
    break;
  case 3: /* one is woken, the other one waits for another word then */
    while (word == 0)
      futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0);
    break;
  case 4: /* a loop with a time limit ends when it should */
    while (word == 0)
      futex(&word, FUTEX_WAIT, 0, &moment, NULL, 0);
    break;
  case 5: {
    atomic_int *gone = malloc(sizeof *gone);
    free(gone);
    futex(gone, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  int count = CASE == 3 ? 2 : 1;
  for (int i = 0; i < count; i++)
    pthread_create(&t[i], NULL, waiter, NULL);
  word = 1;
#if CASE == 2 && defined WRONG
  futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 3);
#elif CASE == 2
  futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 6);
#elif CASE == 3
  while (futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 1) == -1)
    assert(errno == EAGAIN);
#ifndef WRONG
  futex(&other, FUTEX_WAKE, 2, NULL, NULL, 0);
#endif
#else
  long woken = futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0);
  assert(woken == 0 || woken == 1);
#endif
  for (int i = 0; i < count; i++)
    pthread_join(t[i], NULL);
}
