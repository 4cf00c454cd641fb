// Chase and Lev's work-stealing deque, small and of fixed size: the owner pushes two and takes two, a thief steals once.
// BUG: the owner takes the last one without a compare-and-swap.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 48
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY (-1)
static atomic_int bottom, top, cells[4], taken[2];

static void push(int job) {
  int b = bottom;
  cells[b % 4] = job;
  bottom = b + 1;
}

static int take(void) {
  int b = bottom - 1;
  bottom = b;
  int t = top;
  if (t > b) {
    bottom = b + 1;
    return EMPTY;
  }
  int job = cells[b % 4];
  if (t < b)
    return job;
#ifndef BUG
  if (!atomic_compare_exchange_strong(&top, &t, t + 1))
    job = EMPTY;
#endif
  bottom = b + 1;
  return job;
}

static int steal(void) {
  int t = top;
  if (t >= bottom)
    return EMPTY;
  int job = cells[t % 4];
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? job : EMPTY;
}

static void run(int job) {
  if (job != EMPTY)
    assert(atomic_fetch_add(&taken[job], 1) == 0);
}

static void *owner(void *arg) {
  (void)arg;
  push(0);
  push(1);
  run(take());
  run(take());
  return NULL;
}

static void *thief(void *arg) {
  (void)arg;
  run(steal());
  return NULL;
}

int main(void) {
  pthread_t o, t;
  pthread_create(&o, NULL, owner, NULL);
  pthread_create(&t, NULL, thief, NULL);
  pthread_join(o, NULL);
  pthread_join(t, NULL);
#ifndef BUG
  assert(taken[0] == 1 && taken[1] == 1);
#endif
}
