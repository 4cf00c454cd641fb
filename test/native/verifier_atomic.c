// __VERIFIER_atomic_begin and _end around plain data. BUG: one of the two threads does without.
// expect: safe traces=2
// args: -DBUG
// expect: unsafe data-race 14|21
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *one(void *arg) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
  return arg;
}

static void *two(void *arg) {
#ifdef BUG
  x = x + 1;
#else
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x == 2);
}
