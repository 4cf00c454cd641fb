// Code that is older than C11 has volatile accesses where it means atomic ones, and mixes them with atomic operations in
// assembly or of the compiler. To C they race; with --volatile=atomic they are what the processor makes of them.
// expect: unsafe data-race *
// args: --cc=clang
// expect: unsafe data-race *
// args: --volatile=plain
// expect: unsafe data-race *
// args: --volatile=atomic
// expect: safe full=yes
// args: --volatile=atomic --cc=clang
// expect: safe full=yes
// args: --volatile=atomic -O2
// expect: safe
// args: --volatile=atomic -DLOST
// expect: unsafe assertion 93
// args: --volatile=atomic -DLOST --cc=clang
// expect: unsafe assertion 93
// args: --volatile=atomic -DUNPUBLISHED
// expect: unsafe data-race 49|64 or assertion 64
// args: --volatile=atomic -DMIXED
// expect: unsafe data-race 71|84
// args: --volatile=atomic -DUNALIGNED
// expect: unsafe data-race 74|87
// args: --volatile=atomic -DBITS
// expect: unsafe data-race|assertion *
// args: --volatile=atomic -DBITS --cc=clang
// expect: unsafe assertion 95
// args: --volatile=atomic -DFOREVER
// expect: unsafe livelock *
#include <assert.h>
#include <pthread.h>

#define LOAD(x) (*(volatile __typeof__(x) *)&(x))
#define STORE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

static int message, ready, count;
static struct packed {
  char first;
  int second;
} __attribute__((packed)) narrow;
static volatile struct bits {
  unsigned low : 4, high : 4;
} bits;

static void *write_message(void *a) {
#ifdef UNPUBLISHED
  STORE(ready, 1);
#endif
  message = 7;
#ifndef UNPUBLISHED
  STORE(ready, 1);
#endif
  return a;
}

static void read_message(void) {
#ifdef FOREVER
  while (LOAD(ready) != 2)
    ;
#else
  while (!LOAD(ready))
    ;
#endif
  assert(message == 7);
}

static void *add(void *a) {
#ifdef LOST
  STORE(count, LOAD(count) + 1);
#elif defined MIXED
  count++;
#elif defined UNALIGNED
  volatile int *second = &narrow.second;
  *second = 1;
#elif defined BITS
  bits.high = 1;
#else
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
#endif
  return a;
}

static void add_one(void) {
  STORE(count, 1);
#ifdef UNALIGNED
  volatile int *second = &narrow.second;
  *second = 2;
#endif
}

static void compare(void) {
#ifdef LOST
  assert(count == 2);
#elif defined BITS
  assert(bits.low == 1 && bits.high == 1);
#endif
}

int main(void) {
  pthread_t writer, adder;
  pthread_create(&writer, 0, write_message, 0);
  pthread_create(&adder, 0, add, 0);
#ifdef LOST
  add(0);
#elif defined BITS
  bits.low = 1;
#else
  add_one();
#endif
  read_message();
  pthread_join(writer, 0);
  pthread_join(adder, 0);
  compare();
  return 0;
}
