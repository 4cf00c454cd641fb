// The same idea with plain data: correct on many machines, but a data race in C.
// expect: unsafe data-race 13|21
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int a, b;

static void *writer(void *arg) {
  (void)arg;
  atomic_fetch_add(&sequence, 1);
  a = 1, b = 1;
  atomic_fetch_add(&sequence, 1);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  unsigned before = sequence;
  int x = a, y = b;
  if (before % 2 == 0 && sequence == before)
    assert(x == y);
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
}
