// An object with a spin lock of its own is freed by main while a thread may still be about to take that lock, by every
// sort of atomic operation. Nothing but the operation's own turn says that the memory is gone: the counterexample has to
// replay. FIXED: main joins the thread first.
// expect: unsafe memory 22|27 or data-race *
// args: -DOPERATION=atomic_load(&o->state)
// expect: unsafe memory 22|27 or data-race *
// args: -DOPERATION=atomic_store(&o->state,0)
// expect: unsafe memory 22|27 or data-race *
// args: -DOPERATION=atomic_fetch_add(&o->state,2)
// expect: unsafe memory 22|27 or data-race *
// args: -DFIXED
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef OPERATION
#define OPERATION while (atomic_exchange(&o->state, 1))
#endif
typedef struct object { atomic_int state; } object;

static void lock(object *o) { OPERATION; }

static void *user(void *argument) {
  object *o = argument;
  lock(o);
  atomic_store(&o->state, 0);
  return NULL;
}

int main(void) {
  object *o = calloc(1, sizeof *o);
  pthread_t thread;
  pthread_create(&thread, NULL, user, o);
  while (atomic_exchange(&o->state, 1))
    ;
  atomic_store(&o->state, 0);
#ifdef FIXED
  pthread_join(thread, NULL);
  free(o);
#else
  free(o);
  pthread_join(thread, NULL);
#endif
}
