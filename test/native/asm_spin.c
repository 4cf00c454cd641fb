// Spin locks whose loop is inside one asm statement: what waits is known by what the program has in its registers and flags, not
// by what the checker has left in the others. K: which one. NEVER: nobody gives it back, so that the second one spins for ever.
// BUSY: before, the thread does what leaves something in registers and below its stack; and it has numbers in vectors.
// expect: safe traces=2 full=yes
// args: -DNEVER
// expect: unsafe livelock *
// args: -DK=1
// expect: safe traces=2
// args: -DK=1 -DNEVER
// expect: unsafe livelock *
// args: -DK=2
// expect: safe full=yes
// args: -DK=2 -DNEVER
// expect: unsafe livelock *
// args: -DK=3
// expect: safe traces=2
// args: -DK=3 -DNEVER
// expect: unsafe livelock *
// args: -DK=4
// expect: safe full=yes
// args: -DK=4 -DNEVER
// expect: unsafe livelock *
// args: -DK=5
// expect: safe traces=2
// args: -DK=5 -DNEVER
// expect: unsafe livelock *
// args: -DBUSY
// expect: safe
// args: -DBUSY -DNEVER
// expect: unsafe livelock *
// args: -DBUSY -DK=1 -O2
// expect: safe
// args: -DBUSY -DK=2 -O2
// expect: safe
// args: -DBUSY -DK=3 -O2
// expect: safe
// args: -DBUSY -DK=3 -DNEVER -O2
// expect: unsafe livelock *
// args: -DBUSY -DK=4 -O1
// expect: safe
// args: -DBUSY -DK=5 -O2
// expect: safe
// args: --cc=clang -DBUSY
// expect: safe
// args: --cc=clang -DBUSY -DK=1 -O2
// expect: safe
// args: --cc=clang -DBUSY -DK=1 -DNEVER -O2
// expect: unsafe livelock *
// args: --cc=clang -DBUSY -DK=2
// expect: safe
// args: --cc=clang -DBUSY -DK=3 -O2
// expect: safe
// args: --cc=clang -DBUSY -DK=4 -O2
// expect: safe
// args: --cc=clang -DBUSY -DK=5 -O2
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#ifndef K
#define K 0
#endif

static int word, count;
static double sum;

static inline void take(int *p) {
#if K == 0
  __asm__ volatile("1: movl $1, %%eax\n\txchgl %%eax, (%0)\n\ttestl %%eax, %%eax\n\tjnz 1b" : : "r"(p) : "memory", "eax", "cc");
#elif K == 1
  __asm__ volatile("1: lock; btsl $0, (%0)\n\tjc 1b" : : "r"(p) : "memory", "cc");
#elif K == 2
  __asm__ volatile("2: movl $1, %%eax\n\tlock; xaddl %%eax, (%0)\n\ttestl %%eax, %%eax\n\tjz 3f\n"
                   "1: cmpl $0, (%0)\n\tpause\n\tjne 1b\n\tjmp 2b\n3:"
                   :
                   : "r"(p)
                   : "memory", "cc", "eax");
#elif K == 3
  __asm__ volatile("again%=: xorl %%eax, %%eax; lock; cmpxchgl %1, (%0); pause; jne again%=" : : "r"(p), "r"(1) : "memory", "cc", "eax");
#elif K == 4
  __asm__ volatile("1: cmpb $0, (%0); je 2f; pause; jmp 1b; 2: movb $1, %%al; xchgb %%al, (%0); cmpb $0, %%al; jne 1b"
                   :
                   : "r"(p)
                   : "memory", "cc", "eax");
#elif K == 5
  __asm__ volatile(".Ltake%=: movl $1, %%ecx\n\txchgl (%0), %%ecx\n\tjecxz .Ltaken%=\n\trep; nop\n\tjmp .Ltake%=\n.Ltaken%=:"
                   :
                   : "r"(p)
                   : "memory", "cc", "ecx");
#endif
}

static inline void give(int *p) {
#ifndef NEVER
  __asm__ volatile("movl $0, %0" : "=m"(*p) : : "memory");
#endif
}

static void *run(void *number) {
  double mine = *(int *)number * 0.5;
#ifdef BUSY
  char text[40];
  snprintf(text, sizeof text, "%g %d", mine, *(int *)number);
  mine += text[0] - '0';
  mine *= 1.25;
#endif
  take(&word);
  count++;
  sum += mine;
  give(&word);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  static int numbers[] = {2, 4};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, run, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
#ifdef BUSY
  assert(count == 2 && sum == 7.5);
#else
  assert(count == 2 && sum == 3);
#endif
  return 0;
}
