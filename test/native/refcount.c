// An object with a count of references: who takes the last one away frees it. BUG: taking away is a load and a store,
// so that nobody may see itself as the last one.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 42
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int references;
  int payload;
};
static atomic_int freed;

static void *user(void *arg) {
  struct object *o = arg;
  assert(o->payload == 42);
#ifdef BUG
  int left = o->references - 1;
  o->references = left;
#else
  int left = atomic_fetch_sub(&o->references, 1) - 1;
#endif
  if (left == 0) {
    free(o);
    atomic_fetch_add(&freed, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  struct object *o = malloc(sizeof *o);
  o->payload = 42;
  o->references = 2;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, user, o);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(freed == 1);
}
