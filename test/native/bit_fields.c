// Bit-fields that share a byte cannot be written independently. FIXED: a bit-field of width 0 separates them.
// expect: unsafe data-race 17|22
// args: -DFIXED
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned a : 3;
#ifdef FIXED
  unsigned : 0;
#endif
  unsigned b : 3;
} s;

static void *one(void *arg) {
  s.a = 1;
  return arg;
}

static void *two(void *arg) {
  s.b = 2;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(s.a == 1 && s.b == 2);
}
