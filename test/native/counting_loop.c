// A loop that waits and counts how often it has tried: each round is another state, and there is no end of them. A limit that is
// reached in such a long execution says what to do. WAITS: it does not count, and waits.
// args: --max-events=20000
// expect: incomplete in an execution of more than 5000 events
// args: --max-depth=1000
// expect: incomplete an execution is longer than 1000 events (--max-depth)
// args: --unroll=3
// expect: incomplete loops were followed no further than --unroll allows
// args: -DWAITS
// expect: safe traces=1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int tries;

static void *waits(void *arg) {
  while (!atomic_load(&ready))
#ifdef WAITS
    ;
#else
    tries++;
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  atomic_store(&ready, 1);
  pthread_join(t, NULL);
  return tries < 0;
}
