// A key is deleted after the threads that use it were joined. RACE: before; they may still use it, or their destructors may run or
// not. LATE: it is used afterwards.
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
// args: -DRACE --check=assertions,memory --all-errors
// expect: unsafe memory 19
// args: -DLATE
// expect: unsafe memory 35
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value) { (void)value, destroyed++; }

static void *worker(void *arg) {
  pthread_setspecific(key, &key);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, NULL, worker, NULL);
#ifdef RACE
  pthread_key_delete(key);
#endif
  pthread_join(t, NULL);
#ifndef RACE
  pthread_key_delete(key);
#endif
#ifdef LATE
  return pthread_getspecific(key) != NULL;
#endif
}
