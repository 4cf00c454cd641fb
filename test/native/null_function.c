// A function pointer that is not set yet in one order of the two.
// expect: unsafe crash|memory 21
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void nothing(void) {
}

static void (*_Atomic callback)(void);

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
