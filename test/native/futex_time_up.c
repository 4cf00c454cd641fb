// A wait for a futex with a time limit begins, and ends because the time is up: that is not the same state twice, in which nothing
// has happened.
// expect: safe
// args: --check=assertions -DBUG
// expect: unsafe assertion 20
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;
static void *waits(void *arg) {
  static const struct timespec soon = {1};
  long result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &soon, 0, 0);
#ifdef BUG
  assert(result == 0);
#endif
  (void)result;
  return arg;
}
static void *wakes(void *arg) {
  if (word == 5)
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&u, NULL, wakes, NULL);
  pthread_join(t, NULL);
  return pthread_join(u, NULL);
}
