// Two counters, each under a lock of its own in one thread and under another one in the other: races. Where they are only
// reported, or not even that, the accesses are explored in all orders, and an update may be lost (LOST).
// expect: unsafe data-race 28|29|35|36
// args: --races=report
// expect: safe warns=data-race:35,data-race:36
// args: --races=ignore
// expect: safe warns=none
// args: --check=assertions
// expect: safe warns=none
// args: --check=assertions --races=error
// expect: unsafe data-race 28|29|35|36
// args: --races=report -DLOST
// expect: unsafe assertion 48
// args: --races=ignore -DLOST
// expect: unsafe assertion 48
// args: --plain-accesses=events
// expect: unsafe data-race 28|29|35|36
// args: --plain-accesses=events --races=ignore -DLOST
// expect: unsafe assertion 48
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int hits, misses;

static void *first(void *arg) {
  pthread_mutex_lock(&m);
  hits++;
  misses++;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&n);
  hits++;
  misses++;
  pthread_mutex_unlock(&n);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
#ifdef LOST
  assert(hits == 2);
#endif
}
