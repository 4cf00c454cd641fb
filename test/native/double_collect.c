// A snapshot of two registers by reading until two readings are equal (each value is written once, so equal means unchanged).
// BUG: one reading only. The assertion: whoever sees the second register changed sees the first one changed, too.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *writer(void *arg) {
  (void)arg;
  a = 1;
  b = 1;
  a = 2;
  b = 2;
  return NULL;
}

static void *scanner(void *arg) {
  (void)arg;
  int x = a, y = b;
#ifndef BUG
  for (;;) {
    int x2 = a, y2 = b;
    if (x == x2 && y == y2)
      break;
    x = x2, y = y2;
  }
#endif
  assert(x >= y && x <= y + 1);
  return NULL;
}

int main(void) {
  pthread_t w, s;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&s, NULL, scanner, NULL);
  pthread_join(w, NULL);
  pthread_join(s, NULL);
}
