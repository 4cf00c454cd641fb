// A sequence lock over two words. BUG: the writer does not make the number odd while it writes.
// The reader tries twice and then gives up.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 38
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *arg) {
  (void)arg;
  for (int i = 1; i <= 2; i++) {
#ifndef BUG
    atomic_fetch_add(&sequence, 1);
#endif
    a = i;
    b = i;
#ifdef BUG
    atomic_fetch_add(&sequence, 2);
#else
    atomic_fetch_add(&sequence, 1);
#endif
  }
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++) {
    unsigned before = sequence;
    if (before % 2)
      continue;
    int x = a, y = b;
    if (sequence == before) {
      assert(x == y);
      break;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
}
