// Adjacent bit-fields are one memory location: setting one reads and writes them all. Two threads that set different ones race, and
// where races are no errors one of the updates can be lost. A zero-width field between them (APART), or another member, keeps
// them apart. WIDE: units of 8 bytes on the heap. PACKED: of 3 bytes, at an odd address.
// expect: unsafe data-race *
// args: --races=ignore
// expect: unsafe assertion 62
// args: --races=ignore -O2
// expect: unsafe assertion 62
// args: -DAPART
// expect: safe
// args: -DAPART --races=ignore
// expect: safe traces=1
// args: -DWIDE
// expect: unsafe data-race *
// args: -DWIDE --races=ignore
// expect: unsafe assertion 62
// args: -DPACKED
// expect: unsafe data-race *
// args: -DPACKED --races=ignore
// expect: unsafe assertion 62
// args: -DLOCKED
// expect: safe traces=2
// args: --races=ignore -DLOCKED
// expect: safe traces=2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#if defined APART
struct flags { unsigned a : 1, : 0, b : 1; };
#elif defined WIDE
struct flags { unsigned long a : 20, b : 30; };
#elif defined PACKED
struct __attribute__((packed)) flags { char before; unsigned a : 12, b : 12; char after; };
#else
struct flags { unsigned a : 1, b : 1; };
#endif

static struct flags *flags;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
}

static void unlock(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
}

static void *sets_a(void *arg) {
  lock();
  flags->a = 1;
  unlock();
  return arg;
}

static void check(void) {
  assert(flags->a == 1 && flags->b == 1);
}

int main(void) {
  pthread_t t;
  flags = calloc(1, sizeof *flags);
  pthread_create(&t, NULL, sets_a, NULL);
  lock();
  flags->b = 1;
  unlock();
  pthread_join(t, NULL);
  check();
  free(flags);
  return 0;
}
