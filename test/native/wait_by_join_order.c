// Joining in another order than creating, and a thread that joins its sibling: all of it orders plain data.
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_t first;

static void *adds(void *arg) {
  x += 1;
  return arg;
}

static void *joins_sibling(void *arg) {
  pthread_join(first, NULL);
  x *= 10;
  return arg;
}

int main(void) {
  pthread_t second;
  pthread_create(&first, NULL, adds, NULL);
  pthread_create(&second, NULL, joins_sibling, NULL);
  pthread_join(second, NULL);
  assert(x == 10);
}
