// longjmp leaves several functions at once, also between events, and the thread goes on where it called setjmp.
// expect: safe traces=2
// args: --cflags=-O0
// expect: safe traces=2
// args: --cc=clang --cflags=-O2
// expect: safe traces=2
// args: -DWRONG
// expect: unsafe assertion 39
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void deep(jmp_buf out, int depth) {
  volatile char frame[20000];
  frame[depth] = 1;
  if (depth == 0)
    longjmp(out, atomic_fetch_add(&x, 1) + 1);
  deep(out, depth - 1);
  frame[0] = 0;
}

static int stop(const void *a, const void *b) {
  (void)a;
  longjmp(*(jmp_buf *)b, 9);
}

static void *worker(void *arg) {
  jmp_buf out, inner;
  sigjmp_buf with_mask;
  volatile int times = 0;
  int got = setjmp(out);
  if (got == 0)
    deep(out, 10);
#ifdef WRONG
  assert(got == 1);
#endif
  assert(got == 1 || got == 2);
  if (setjmp(inner) == 0) /* out of a callback of the library */
    bsearch(arg, inner, 1, sizeof inner, stop);
  if (sigsetjmp(with_mask, 1) < 3)
    siglongjmp(with_mask, ++times);
  assert(times == 3);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int key;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, &key);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x == 2);
}
