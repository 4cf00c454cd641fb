// Double-checked locking with an atomic pointer. BUG: the pointer is plain.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 19|26
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int object;
#ifdef BUG
static int *instance;
#else
static int *_Atomic instance;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
  int *o = instance;
  if (!o) {
    pthread_mutex_lock(&lock);
    o = instance;
    if (!o) {
      object = 42;
      o = &object;
      instance = o;
    }
    pthread_mutex_unlock(&lock);
  }
  return o;
}

static void *user(void *arg) {
  (void)arg;
  int *o = get();
#ifdef BUG
  assert(o);
#else
  assert(*o == 42);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
