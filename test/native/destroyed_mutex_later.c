// Whether a mutex can be destroyed is decided by who has it, or is to take it again after a wait: not by when the wait ends,
// which no operation on the mutex tells. Where nobody asks for wrong uses it is refused with EBUSY. SIGNAL: another thread ends
// the wait, and not the time.
// args: --check=assertions -DEXPECTED=EBUSY
// expect: safe full=yes
// args: --check=assertions -DEXPECTED=EBUSY -DSIGNAL
// expect: safe full=yes
// args: --check=assertions -DEXPECTED=0
// expect: unsafe assertion 45
// args: -DEXPECTED=EBUSY
// expect: unsafe lock 44
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int inside;

static void *waits(void *arg) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&m);
  inside = 1;
  pthread_cond_timedwait(&c, &m, &soon);
  inside = 0;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *signals(void *arg) {
  pthread_cond_signal(&c);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, waits, NULL);
#ifdef SIGNAL
  pthread_create(&u, NULL, signals, NULL);
#endif
  if (inside == 1) {
    int result = pthread_mutex_destroy(&m);
    assert(inside == 0 || result == EXPECTED);
  }
  pthread_join(t, NULL);
#ifdef SIGNAL
  pthread_join(u, NULL);
#endif
  (void)signals, (void)u;
}
