// Read-copy-update, the smallest: readers count themselves in and out; the writer publishes a copy, waits until no
// reader is left and frees the old one. BUG: it does not wait.
// expect: safe
// args: -DBUG
// expect: unsafe memory 21 or data-race 21|37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
  int a, b;
};
static struct config *_Atomic current;
static atomic_int readers;

static void *reader(void *arg) {
  (void)arg;
  atomic_fetch_add(&readers, 1);
  struct config *c = current;
  int sum = c->a + c->b;
  assert(sum == 3 || sum == 30);
  atomic_fetch_sub(&readers, 1);
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  struct config *old = current, *copy = malloc(sizeof *copy);
  copy->a = old->a * 10;
  copy->b = old->b * 10;
  current = copy;
#ifndef BUG
  while (readers != 0) {
  }
#endif
  free(old);
  return NULL;
}

int main(void) {
  pthread_t r[2], w;
  struct config *c = malloc(sizeof *c);
  c->a = 1;
  c->b = 2;
  current = c;
  for (int i = 0; i < 2; i++)
    pthread_create(&r[i], NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(r[i], NULL);
  pthread_join(w, NULL);
  free(current);
}
