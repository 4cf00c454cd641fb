// A program that asks the processor for random numbers, past the checker, does not do the same when a schedule is repeated: no verdict.
// args: --allow=asm
// expect: incomplete does not do the same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
  unsigned n = 0;
#if defined(__x86_64__)
  __asm__ volatile("rdrand %0" : "=r"(n) : : "cc");
#else
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(n));
#endif
  for (unsigned i = 0; i < n % 16; i++)
    x++;
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
