// A block that is freed and allocated again inside of atomic sections, by new functions and by realloc.
// expect: safe
// args: --heap-reuse
// expect: unsafe assertion 35
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) now;
static atomic_int changes;

static void *changes_it(void *arg) {
  mz_atomic_begin();
  char *old = now;
  now = NULL;
  old = realloc(old, 200);
  char *small = malloc(10);
  now = small;
  changes++;
  mz_atomic_end();
  free(old);
  return arg;
}

static void *looks_twice(void *arg) {
  mz_atomic_begin();
  char *first = now;
  int before = changes;
  mz_atomic_end();
  if (now == first) {
    mz_atomic_begin();
    if (now == first)
      assert(changes == before);
    mz_atomic_end();
  }
  return arg;
}

int main(void) {
  pthread_t t, u;
  now = malloc(10);
  pthread_create(&t, NULL, changes_it, NULL);
  pthread_create(&u, NULL, looks_twice, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  free(now);
}
