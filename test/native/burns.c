// Burns and Lynch: mutual exclusion with one bit per thread. BUG: no second look at the lower threads after raising the own bit.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2
static atomic_int flag[N], inside;

static int lower_wants(int me) {
  for (int j = 0; j < me; j++)
    if (flag[j])
      return 1;
  return 0;
}

static void *worker(void *arg) {
  int me = (int)(long)arg;
  for (;;) {
    flag[me] = 0;
    while (lower_wants(me)) {
    }
    flag[me] = 1;
#ifdef BUG
    break;
#else
    if (!lower_wants(me))
      break;
#endif
  }
  for (int j = me + 1; j < N; j++)
    while (flag[j]) {
    }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  flag[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
