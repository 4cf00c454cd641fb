// The timed waits of <threads.h> end both ways; FIRST and SECOND assert that they do not.
// expect: safe
// args: -DFIRST
// expect: unsafe assertion *
// args: -DSECOND
// expect: unsafe assertion *
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static int value;
static const struct timespec soon = {.tv_sec = 1};

static int other(void *arg) {
  (void)arg;
  mtx_lock(&mutex);
  value = 1;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&mutex, mtx_timed);
  cnd_init(&changed);
  thrd_create(&t, other, NULL);
  int e = mtx_timedlock(&mutex, &soon);
  assert(e == thrd_success || e == thrd_timedout);
#ifdef FIRST
  assert(e == thrd_success);
#endif
  if (e == thrd_success) {
    if (!value) {
      e = cnd_timedwait(&changed, &mutex, &soon);
      assert(e == thrd_timedout || (e == thrd_success && value));
#ifdef SECOND
      assert(e == thrd_success);
#endif
    }
    mtx_unlock(&mutex);
  }
  thrd_join(t, NULL);
}
