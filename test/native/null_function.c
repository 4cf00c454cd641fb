// A function pointer that is not set yet in one order of the two. WILD: it leads to a variable then.
// expect: unsafe crash|memory 28
// args: -DWILD
// expect: unsafe crash 28
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void nothing(void) {
}

#ifdef WILD
static int variable;
static void (*_Atomic callback)(void) = (void (*)(void))(void *)&variable;
#else
static void (*_Atomic callback)(void);
#endif

static void *sets(void *arg) {
  callback = nothing;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  void (*f)(void) = callback;
  f();
  pthread_join(t, NULL);
}
