// A thread that waits in pthread_join is cancelled there; the other one is then still to be joined. BUG: nobody does.
// expect: safe full=yes
// args: --cc=clang
// expect: safe
// args: -DBUG
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_t inner;
static sem_t go;
static atomic_int joined;

static void *waits(void *arg) {
  sem_wait(&go);
  return arg;
}

static void *joins(void *arg) {
  pthread_join(inner, NULL);
  joined = 1;
  return arg;
}

int main(void) {
  pthread_t outer;
  void *result;
  sem_init(&go, 0, 0);
  pthread_create(&inner, NULL, waits, NULL);
  pthread_create(&outer, NULL, joins, &go);
  pthread_cancel(outer);
  pthread_join(outer, &result); /* the inner one waits for us: only being cancelled ends this */
  assert(result == PTHREAD_CANCELED);
#ifdef BUG
  assert(joined);
#endif
  sem_post(&go);
  pthread_join(inner, NULL);
}
