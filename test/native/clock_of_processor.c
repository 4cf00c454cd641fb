// The processor's clock is virtual, as all time is: it goes on, and is the same each time a schedule is repeated.
// expect: safe
// args: --cc=clang --cflags=-O2
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_int x;
static unsigned long long seen;

static void *work(void *a) {
  unsigned processor, low, high;
  unsigned long long first = __rdtsc(), second = __rdtscp(&processor);
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  assert(first < second && second < ((unsigned long long)high << 32 | low));
  x++;
  seen = first;
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
  assert(seen > 0);
  return 0;
}
