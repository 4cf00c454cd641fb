// An address that is nobody's, in one order of two.
// expect: unsafe memory 20
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uintptr_t address;
static int value;

static void *scribbles(void *arg) {
  address = 0x12340;
  return arg;
}

int main(void) {
  pthread_t t;
  address = (uintptr_t)&value;
  pthread_create(&t, NULL, scribbles, NULL);
  int *p = (int *)address;
  *p = 1;
  pthread_join(t, NULL);
}
