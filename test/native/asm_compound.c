// One instruction that reads and writes memory without `lock` is two accesses: where races are no errors, what another thread
// writes in between is lost. `xchg` with memory is always locked, and so is one event. K: which one; SIZE: its bytes. The
// last: a locked one is an event of its own, also where plain accesses to the same place stand right before it.
// expect: unsafe data-race *
// args: --races=ignore -DK=0 -DSIZE=1
// expect: unsafe assertion *
// args: --races=ignore -DK=0 -DSIZE=2
// expect: unsafe assertion *
// args: --races=ignore -DK=0 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=0 -DSIZE=8
// expect: unsafe assertion *
// args: --races=ignore -DK=1 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=2 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=3 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=4 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=5 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=6 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=7 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=8 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=9 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=10 -DSIZE=1
// expect: unsafe assertion *
// args: --races=ignore -DK=10 -DSIZE=2
// expect: unsafe assertion *
// args: --races=ignore -DK=10 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=10 -DSIZE=8
// expect: unsafe assertion *
// args: --races=ignore -DK=11 -DSIZE=1
// expect: unsafe assertion *
// args: --races=ignore -DK=11 -DSIZE=2
// expect: unsafe assertion *
// args: --races=ignore -DK=11 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=11 -DSIZE=8
// expect: unsafe assertion *
// args: --races=ignore -DK=12 -DSIZE=4
// expect: unsafe assertion *
// args: --races=ignore -DK=2 --cc=clang
// expect: unsafe assertion *
// args: --races=ignore -DK=10 --cc=clang -O2
// expect: unsafe assertion *
// args: --races=ignore -DK=0 -DLOCKED
// expect: safe full=yes
// args: --races=ignore -DK=9 -DLOCKED
// expect: safe full=yes
// args: --races=ignore -DK=10 -DLOCKED
// expect: safe full=yes
// args: --races=ignore -DK=11 -DLOCKED
// expect: safe full=yes
// args: --races=ignore -DK=13 -DSIZE=1
// expect: safe full=yes
// args: --races=ignore -DK=13 -DSIZE=2
// expect: safe full=yes
// args: --races=ignore -DK=13 -DSIZE=4
// expect: safe full=yes
// args: --races=ignore -DK=13 -DSIZE=8
// expect: safe full=yes
// args: --races=ignore -DK=14
// expect: unsafe assertion *
// args: --races=ignore -DK=14 -O2 --cc=clang
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>

#ifndef K
#define K 0
#endif
#ifndef SIZE
#define SIZE 4
#endif
#if SIZE == 1
typedef unsigned char word;
#define SUFFIX "b"
#elif SIZE == 2
typedef unsigned short word;
#define SUFFIX "w"
#elif SIZE == 4
typedef unsigned word;
#define SUFFIX "l"
#else
typedef unsigned long word;
#define SUFFIX "q"
#endif
#ifdef LOCKED
#define LOCK "lock; "
#else
#define LOCK ""
#endif

static word x;
static const char *const unused = LOCK SUFFIX;

#define ONE(name) __asm__ volatile(LOCK name SUFFIX " %0" : "+m"(x) : : "cc", "memory")
#define TWO(name, n) __asm__ volatile(LOCK name SUFFIX " $" #n ", %0" : "+m"(x) : : "cc", "memory")

// Each makes of 0 or 64 something else than the other thread's 64 or its own.
static void *act(void *a) {
  word one = 1;
  (void)unused, (void)one;
#if K == 0
  ONE("inc");
#elif K == 1
  ONE("dec");
#elif K == 2
  TWO("add", 1);
#elif K == 3
  TWO("sub", 1);
#elif K == 4
  TWO("and", 80);
#elif K == 5
  TWO("or", 1);
#elif K == 6
  TWO("xor", 1);
#elif K == 7
  ONE("neg");
#elif K == 8
  ONE("not");
#elif K == 9
  TWO("bts", 0);
#elif K == 10
  word old = 0;
  __asm__ volatile(LOCK "cmpxchg" SUFFIX " %1, %0" : "+m"(x), "+r"(one), "+a"(old) : : "cc", "memory");
#elif K == 11
  __asm__ volatile(LOCK "xadd" SUFFIX " %1, %0" : "+m"(x), "+r"(one) : : "cc", "memory");
#elif K == 12
  TWO("rol", 1);
#elif K == 13
  __asm__ volatile("xchg" SUFFIX " %1, %0" : "+m"(x), "+r"(one) : : "memory");
  return (void *)(long)one;
#elif K == 14
  one = x;
  x = 2;
  __asm__ volatile("lock; inc" SUFFIX " %0" : "+m"(x) : : "cc", "memory");
#endif
  return a;
}

static void *other(void *a) {
  word old = 64;
  __asm__ volatile("xchg" SUFFIX " %1, %0" : "+m"(x), "+r"(old) : : "memory");
  return (void *)(long)old;
}

// What comes of it one after the other, in one order and in the other.
static int is_possible(word seen) {
  switch (K) {
  case 0: case 2: case 11: return seen == 65 || seen == 64;
  case 1: case 3: return seen == 63 || seen == 64;
  case 4: return seen == 64;
  case 5: case 6: case 9: return seen == 65 || seen == 64;
  case 7: return seen == (word)-64 || seen == 64;
  case 8: return seen == (word)~64 || seen == 64;
  case 10: return seen == 64;
  case 14: return seen == 3 || seen == 64; // 65: the other one came between
  default: return seen == 128 || seen == 64;
  }
}

int main(void) {
  pthread_t one, two;
  void *first, *second;
  pthread_create(&one, 0, act, 0);
  pthread_create(&two, 0, other, 0);
  pthread_join(one, &first);
  pthread_join(two, &second);
#if K == 13
  assert(x == 64 ? (long)first == 0 && (long)second == 1 : x == 1 && (long)second == 0 && (long)first == 64);
#else
  assert(is_possible(x));
#endif
  return 0;
}
