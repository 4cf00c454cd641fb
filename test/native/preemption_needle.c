// Three workers count in rounds, every operation on shared state: the interleavings are far too many to explore. Taking
// the last ticket is looked at first and done afterwards, so one preemption at the right moment takes it twice.
// args: --preemptions=0
// expect: incomplete no error with at most 0 preemptions (--preemptions)
// args: --preemptions=2
// expect: unsafe assertion 33
// args: --preemptions=1 -DFIXED
// expect: incomplete no error with at most 1 preemption (--preemptions)
// args: --runs=100
// expect: unsafe assertion 33
// args: --runs=100 -DFIXED
// expect: incomplete 100 random executions, no error found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 3, ROUNDS = 20 };

static atomic_int counters[4], tickets = 1;

static void *worker(void *arg) {
  for (int i = 0; i < ROUNDS; i++)
    atomic_fetch_add(&counters[i % 4], 1);
#ifdef FIXED
  int one = 1;
  atomic_compare_exchange_strong(&tickets, &one, 0);
#else
  if (tickets > 0)
    tickets--;
#endif
  for (int i = 0; i < ROUNDS; i++)
    atomic_fetch_add(&counters[i % 4], 1);
  assert(tickets >= 0);
  return arg;
}

int main(void) {
  pthread_t t[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(t[i], NULL);
}
