// Recursion without an end is told as what it is, with the place and the thread; in main as in any other thread. A frame
// that is larger than the stack is the same.
// expect: unsafe crash 15
// args: --cc=clang
// expect: unsafe crash 15
// args: -DIN_MAIN
// expect: unsafe crash 15
// args: -DLARGE
// expect: unsafe crash 23
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static __attribute__((noinline)) int descend(int level) {
  volatile char locals[256];
  locals[level % 256] = (char)level;
  if (level < 0)
    return 0;
  return descend(level + 1) + locals[level % 256];
}

static __attribute__((noinline)) int large(void) {
  volatile char locals[64 << 20];
  locals[0] = 1;
  return locals[0];
}

static void *thread(void *arg) {
  shared++;
#ifdef LARGE
  large();
#endif
  descend(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  shared++;
#ifdef IN_MAIN
  descend(1);
#endif
  return pthread_join(t, NULL);
}
