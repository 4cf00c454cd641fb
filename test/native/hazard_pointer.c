// Hazard pointers, the smallest: a reader announces what it reads and looks again; the writer frees the old object
// only if nobody has announced it. BUG: the reader does not look again.
// expect: safe
// args: -DBUG
// expect: unsafe memory 33 or data-race 33|43
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  int value;
};
static struct object *_Atomic current, *_Atomic hazard;

static struct object *new_object(int value) {
  struct object *o = malloc(sizeof *o);
  o->value = value;
  return o;
}

static void *reader(void *arg) {
  (void)arg;
  struct object *o;
  do {
    o = current;
    hazard = o;
#ifdef BUG
  } while (0);
#else
  } while (o != current);
#endif
  int value = o->value;
  assert(value == 1 || value == 2);
  hazard = NULL;
  return NULL;
}

static void *writer(void *arg) {
  struct object *old = atomic_exchange(&current, arg);
  while (hazard == old) {
  }
  free(old);
  return NULL;
}

int main(void) {
  pthread_t r, w;
  struct object *second = new_object(2);
  current = new_object(1);
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, second);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  free(second);
}
