// Jumps that lead nowhere: to another thread's stack, without a setjmp, into a function that has returned.
// expect: unsafe crash 17
// args: -DNOWHERE
// expect: unsafe crash 17
// args: -DRETURNED
// expect: unsafe crash 24
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static jmp_buf out;

static void *worker(void *arg) {
#ifdef NOWHERE
  memset(out, 0, sizeof out);
#endif
  longjmp(out, 1);
  return arg;
}

static __attribute__((noinline)) int leave(volatile int *depth) { return setjmp(out) + *depth; }

static __attribute__((noinline)) void jump(void) {
  longjmp(out, 1);
}

int main(void) {
  pthread_t t;
  volatile int depth = 0;
#ifdef RETURNED
  leave(&depth);
  jump();
#endif
  if (setjmp(out))
    return depth;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
}
// compilers: what a jump into a function that has returned does depends on what is left of its frame
