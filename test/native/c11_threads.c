// <threads.h>: a bounded hand-over with a mutex and a condition variable, results, once, thread-specific data.
// BUG: the mutex is not taken.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DBUG
// expect: unsafe lock|data-race *
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex, nested;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int value, initialised;

static void initialise(void) { initialised++; }

static int consumer(void *arg) {
  int *got = malloc(sizeof *got);
  call_once(&flag, initialise);
  tss_set(key, got);
  mtx_lock(&mutex);
  while (value == 0)
    cnd_wait(&changed, &mutex);
  *got = value;
  mtx_unlock(&mutex);
  assert(tss_get(key) == got && arg == &value);
  thrd_exit(*got); // its destructor frees it
}

int main(void) {
  thrd_t t;
  int result = 0;
  mtx_init(&mutex, mtx_timed);
  mtx_init(&nested, mtx_plain | mtx_recursive);
  cnd_init(&changed);
  tss_create(&key, free);
  thrd_create(&t, consumer, &value);
  call_once(&flag, initialise);
  assert(!thrd_equal(t, thrd_current()) && mtx_lock(&nested) == thrd_success && mtx_trylock(&nested) == thrd_success);
  mtx_unlock(&nested);
  mtx_unlock(&nested);
#ifndef BUG
  mtx_lock(&mutex);
#endif
  value = -7;
  cnd_signal(&changed);
#ifndef BUG
  mtx_unlock(&mutex);
#endif
  thrd_yield();
  int e = thrd_join(t, &result);
  assert(e == thrd_success && result == -7 && initialised == 1);
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
}
