// The value is what it was, but it was something else in between: the compare-and-swap does not see it. With a version in the
// upper half (without BUG) it does: if it succeeds, nothing has happened since the first load.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint x; // value + 256 * version
static atomic_int happened;
#ifdef BUG
#define STEP 0
#else
#define STEP 256
#endif

static void *there_and_back(void *arg) {
  x = 1 + STEP;
  happened = 1;
  x = 0 + 2 * STEP;
  return arg;
}

static void *believes(void *arg) {
  unsigned seen = x;
  int before = happened, after = happened;
  if (seen == 0 && before == 0 && atomic_compare_exchange_strong(&x, &seen, 5))
    assert(after == 0);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, there_and_back, NULL);
  pthread_create(&t[1], NULL, believes, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
