// A reader-writer spin lock in one word: writer = -1, otherwise the number of readers. BUG: the writer does not look at readers.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 21|37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int a, b;

static void *writer(void *arg) {
  (void)arg;
#ifdef BUG
  atomic_fetch_sub(&state, 100);
#else
  int none = 0;
  while (!atomic_compare_exchange_strong(&state, &none, -1))
    none = 0;
#endif
  a++, b++;
#ifdef BUG
  atomic_fetch_add(&state, 100);
#else
  state = 0;
#endif
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  for (;;) {
    int n = state;
    if (n >= 0 && atomic_compare_exchange_strong(&state, &n, n + 1))
      break;
  }
  assert(a == b);
  atomic_fetch_sub(&state, 1);
  return NULL;
}

int main(void) {
  pthread_t w, r[2];
  pthread_create(&w, NULL, writer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&r[i], NULL, reader, NULL);
  pthread_join(w, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(r[i], NULL);
}
