// One worker ends while the other one is at its boundary, and main, which joins it, starts to serve in its place. The
// boundary waits for who has not come there yet, not for who is gone. BROKEN: the new one assumes that the old one has
// served everything.
// expect: safe full=yes
// args: -DBROKEN
// expect: unsafe assertion 43
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int open_requests;
static pthread_t first, second;

static void serve(void) {
  if (mz_choose(0, 1)) {
    atomic_fetch_add(&open_requests, 1);
    atomic_fetch_sub(&open_requests, 1);
  }
}

static void *forever(void *arg) {
  for (;;) {
    mz_loop_boundary();
    serve();
  }
  return arg;
}

static void *for_a_while(void *arg) {
  do {
    mz_loop_boundary();
    serve();
  } while (mz_choose(0, 1));
  return arg;
}

int main(void) {
  pthread_create(&first, NULL, for_a_while, NULL);
  pthread_create(&second, NULL, forever, NULL);
  pthread_join(first, NULL);
  int rest = atomic_load(&open_requests);
#ifdef BROKEN
  mz_assert(rest == 0);
#else
  mz_assert(rest <= 1);
#endif
  forever(NULL);
}
