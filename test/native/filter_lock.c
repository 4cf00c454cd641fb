// Peterson's filter lock: for N threads there are N - 1 levels, and one is held back at each. BUG: one level too few.
// args: -DN=2
// expect: safe
// args: -DN=3 -DBUG
// expect: unsafe assertion 35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifdef BUG
#define LEVELS (N - 2)
#else
#define LEVELS (N - 1)
#endif
static atomic_int level[N], last[N], inside;

static int somebody_ahead(int me, int l) {
  for (int j = 0; j < N; j++)
    if (j != me && level[j] >= l)
      return 1;
  return 0;
}

static void *worker(void *arg) {
  int me = (int)(long)arg;
  for (int l = 1; l <= LEVELS; l++) {
    level[me] = l;
    last[l] = me;
    while (somebody_ahead(me, l) && last[l] == me) {
    }
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  level[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
