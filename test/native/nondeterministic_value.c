// What the processor has chosen at random is stored, and nothing else depends on it: operations are the same when a schedule is
// repeated, but not what is in the variable then. No verdict.
// args: --allow=asm
// expect: incomplete ticks has another value then
#include <pthread.h>
#include <stdatomic.h>

unsigned ticks;
static atomic_int done;

static void *worker(void *arg) {
#ifdef __x86_64__
  unsigned n;
  __asm__ volatile("rdrand %0" : "=r"(n) : : "cc");
  ticks = n;
#else
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(arg));
  ticks = (unsigned)(unsigned long)arg;
#endif
  done = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  int early = done;
  pthread_join(thread, NULL);
  return early && !done;
}
