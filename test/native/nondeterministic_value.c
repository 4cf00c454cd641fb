// What comes from the processor's clock is stored, and nothing else depends on it: operations are the same when a schedule is
// repeated, but not what is in the variable then. No verdict.
// expect: incomplete ticks has another value then
#include <pthread.h>
#include <stdatomic.h>

unsigned ticks;
static atomic_int done;

static void *worker(void *arg) {
#ifdef __x86_64__
  ticks = (unsigned)__builtin_ia32_rdtsc();
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
