// Two in a corridor: each steps back if it sees the other, and tries again: they may go on like that for ever. Such rounds
// leave everything as it was, and lead nowhere new: without them every execution ends, and is safe. TRIES: each tries a
// limited number of times.
// args: -DTRIES=2
// expect: safe
// args: --unroll=3
// expect: safe
// args: --unroll=3 --relation=-rounds
// expect: incomplete unroll
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int here[2], inside;

static void *worker(void *arg) {
  long me = (long)arg;
#ifdef TRIES
  for (int i = 0; i < TRIES; i++) {
#else
  for (;;) {
#endif
    here[me] = 1;
    if (!here[1 - me]) {
      assert(atomic_fetch_add(&inside, 1) == 0);
      atomic_fetch_sub(&inside, 1);
      here[me] = 0;
      break;
    }
    here[me] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
