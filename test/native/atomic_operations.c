// All the read-modify-write operations in several widths, by two threads on different bits or
// amounts, so that the order does not matter.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static _Atomic unsigned char c8;
static _Atomic unsigned short c16;
static atomic_uint c32 = 0xff;
static atomic_ullong c64 = 1000;
static atomic_bool once;
static atomic_int winners;

static void *worker(void *arg) {
  long me = (long)arg;
  atomic_fetch_or(&c8, (unsigned char)(1 << me));
  atomic_fetch_xor(&c16, (unsigned short)(256 << me));
  atomic_fetch_and(&c32, ~(1u << me));
  atomic_fetch_sub(&c64, (unsigned long long)me + 1);
  if (!atomic_exchange(&once, true))
    winners++;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(c8 == 3 && c16 == 768 && c32 == 0xfc && c64 == 997 && winners == 1);
}
