// Members side by side, bytes of one word, elements of one array, each written by a thread of its own: no race, one trace.
// expect: safe traces=1 full=yes
#include <assert.h>
#include <pthread.h>

static struct {
  char a, b;
  short c;
  int d;
} s;
static unsigned char bytes[4];

static void *one(void *arg) {
  s.a = 1;
  s.c = 3;
  bytes[0] = bytes[2] = 1;
  return arg;
}

static void *two(void *arg) {
  s.b = 2;
  s.d = 4;
  bytes[1] = bytes[3] = 2;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(s.a == 1 && s.b == 2 && s.c == 3 && s.d == 4);
  assert(bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 1 && bytes[3] == 2);
}
