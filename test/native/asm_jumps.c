// Jumps of the program's own assembly, over accesses and back: hooks make the way longer. What has no long form (loop, jrcxz)
// jumps over one that has. What jumps by a number of bytes cannot be followed: it is refused (asm_refused.c).
// expect: safe full=yes
// args: --cc=clang
// expect: safe full=yes
// args: -DEARLY
// expect: unsafe assertion 53
// args: -DEARLY --cc=clang
// expect: unsafe assertion 53
#include <assert.h>
#include <pthread.h>

static int cells[3], done;

/* Each of them, and then says so. */
static void *fill(void *a) {
  long n = 3;
  int *cell = cells;
#ifdef EARLY
  __asm__ volatile("movl $1, %0" : "=m"(done) : : "memory");
#endif
  __asm__ volatile("1: movl $1, (%1)\n\taddq $4, %1\n\tloop 1b" : "+c"(n), "+r"(cell) : : "memory", "cc");
  assert(n == 0 && cell == cells + 3);
  __asm__ volatile("movl $1, %0" : "=m"(done) : : "memory");
  return a;
}

static int sum(void) {
  int result = 0;
  for (int i = 0; i < 3; i++) {
    int one;
    __asm__ volatile("movl %1, %0" : "=r"(one) : "m"(cells[i]) : "memory");
    result += one;
  }
  return result;
}

/* Adds what is there to n, unless n is 0. */
static long add_unless_zero(long n, int *where) {
  long result = 0;
  __asm__ volatile("jrcxz 1f\n\tmovslq (%2), %0\n\taddq %1, %0\n1:" : "+&r"(result), "+c"(n) : "r"(where) : "memory", "cc");
  return result;
}

int main(void) {
  pthread_t t;
  int ready, is;
  pthread_create(&t, 0, fill, 0);
  __asm__ volatile("movl %1, %0" : "=r"(ready) : "m"(done) : "memory");
  is = sum();
  __asm__ volatile("testl %0, %0; loopne 2f; jmp 3f; 2: nop; 3:" : : "r"(ready), "c"(1L) : "cc");
  if (ready)
    assert(is == 3);
  pthread_join(t, 0);
  assert(add_unless_zero(0, &cells[1]) == 0 && add_unless_zero(4, &cells[1]) == 5);
  return 0;
}
