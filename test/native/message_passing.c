// A plain message behind an atomic flag: release and acquire order it. RELAXED, and with a plain flag, it is a data race.
// The flag is looked at once: 2 traces.
// expect: safe traces=2 full=yes
// args: -DRELAXED
// expect: unsafe data-race 31|38
// args: -DPLAIN
// expect: unsafe data-race 31|38|32|37
// args: -DRELAXED --check=assertions
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
#ifdef PLAIN
static int flag;
#define SET(f) (f = 1)
#define GET(f) (f)
#else
static atomic_int flag;
#ifdef RELAXED
#define SET(f) atomic_store_explicit(&f, 1, memory_order_relaxed)
#define GET(f) atomic_load_explicit(&f, memory_order_relaxed)
#else
#define SET(f) atomic_store_explicit(&f, 1, memory_order_release)
#define GET(f) atomic_load_explicit(&f, memory_order_acquire)
#endif
#endif

static void *sender(void *arg) {
  message = 42;
  SET(flag);
  return arg;
}

static void *receiver(void *arg) {
  if (GET(flag)) {
    int seen = message;
    assert(seen == 42);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sender, NULL);
  pthread_create(&t[1], NULL, receiver, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
