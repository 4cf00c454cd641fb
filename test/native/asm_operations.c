// Atomic operations as libraries write them in assembly: each is one event, seen as such. K: which one; each counts to two, or
// lets one thread in. BUG: without the prefix, or in two steps.
// args: -DK=0
// expect: safe traces=2
// args: -DK=0 -DBUG
// expect: unsafe data-race 44
// args: -DK=1
// expect: safe
// args: -DK=1 -DBUG
// expect: unsafe assertion 131
// args: -DK=2
// expect: safe
// args: -DK=3
// expect: safe
// args: -DK=3 -DBUG
// expect: unsafe assertion 131
// args: -DK=4
// expect: safe
// args: -DK=5
// expect: safe
// args: -DK=6
// expect: safe
// args: -DK=7
// expect: safe
// args: -DK=8
// expect: safe
// args: --cc=clang -DK=0
// expect: safe traces=2
// args: --cc=clang -DK=1
// expect: safe
// args: --cc=clang -DK=1 -DBUG
// expect: unsafe assertion 131
// args: --cc=clang -DK=8
// expect: safe
#include <assert.h>
#include <pthread.h>

static long counter, lock;
static long pair[2] __attribute__((aligned(16)));

#if K == 0 /* lock add */
static void add(void) {
#ifdef BUG
  __asm__ volatile("addq $1, %0" : "+m"(counter) : : "cc", "memory");
#else
  __asm__ volatile("lock addq $1, %0" : "+m"(counter) : : "cc", "memory");
#endif
}
#elif K == 1 /* lock xadd; load and store */
static void add(void) {
#ifdef BUG
  long now;
  __asm__ volatile("movq %1, %0" : "=r"(now) : "m"(counter) : "memory");
  __asm__ volatile("movq %1, %0" : "=m"(counter) : "r"(now + 1) : "memory");
#else
  long one = 1;
  __asm__ volatile("lock; xaddq %0, %1" : "+r"(one), "+m"(counter) : : "cc", "memory");
#endif
}
#elif K == 2 /* lock cmpxchg in a loop */
static long exchange(long *p, long old, long new) {
  __asm__ volatile("lock\n\tcmpxchgq %2, %1" : "+a"(old), "+m"(*p) : "r"(new) : "cc", "memory");
  return old;
}
static void add(void) {
  long seen = 0, old;
  while ((old = exchange(&counter, seen, seen + 1)) != seen)
    seen = old;
}
#elif K == 3 /* a spin lock by xchg */
static void add(void) {
#ifndef BUG
  for (long taken = 1; taken;)
    __asm__ volatile("xchgq %0, %1; pause" : "+r"(taken), "+m"(lock) : : "memory");
#endif
  long now;
  __asm__ volatile("movq %1, %0" : "=r"(now) : "m"(counter) : "memory");
  __asm__ volatile("movq %1, %0" : "=m"(counter) : "r"(now + 1) : "memory");
  __asm__ volatile("movq $0, %0" : "=m"(lock) : : "memory");
}
#elif K == 4 /* lock inc with its flags */
static void add(void) {
  unsigned char zero;
  __asm__ volatile("lock incq %0; setz %1" : "+m"(counter), "=r"(zero) : : "cc", "memory");
  assert(!zero);
}
#elif K == 5 /* lock bts as a lock, which protects plain accesses */
static void add(void) {
  for (unsigned char taken = 1; taken;)
    __asm__ volatile("lock btsq %2, %0; setc %1" : "+m"(lock), "=q"(taken) : "r"(3L) : "cc", "memory");
  counter++;
  __asm__ volatile("lock btrq $3, %0" : "+m"(lock) : : "cc", "memory");
}
#elif K == 6 /* lock sub, and, or, xor, dec, neg, not */
static void add(void) {
  __asm__ volatile("lock; subq $-1, %0" : "+m"(counter) : : "cc", "memory");
  __asm__ volatile("lock; orq $0, %0" : "+m"(counter) : : "cc", "memory");
  __asm__ volatile("lock; andq $-1, %0" : "+m"(counter) : : "cc", "memory");
  __asm__ volatile("lock; xorq $4, %0\n\tlock xorq $4, %0" : "+m"(counter) : : "cc", "memory");
  __asm__ volatile("lock; incq %0\n\tlock; decq %0" : "+m"(counter) : : "cc", "memory");
}
#elif K == 7 /* a fence on the stack, and a barrier for the compiler; flags and data by moves */
static void add(void) {
  __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "cc", "memory");
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("lock; incq %0; mfence; lfence; sfence; rep; nop" : "+m"(counter) : : "cc", "memory");
}
#else /* lock cmpxchg16b */
static void add(void) {
  unsigned char done;
  do {
    long low, high;
    __asm__ volatile("movq %1, %0" : "=r"(low) : "m"(pair[0]));
    __asm__ volatile("movq %1, %0" : "=r"(high) : "m"(pair[1]));
    __asm__ volatile("lock cmpxchg16b %0; setz %1" : "+m"(pair), "=q"(done), "+a"(low), "+d"(high) : "b"(low + 1), "c"(high + 1) : "cc", "memory");
  } while (!done);
  __asm__ volatile("lock; incq %0" : "+m"(counter) : : "cc", "memory");
}
#endif

static void *work(void *a) {
  add();
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  add();
  pthread_join(t, 0);
  assert(counter == 2);
  return 0;
}
