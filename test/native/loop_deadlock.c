// Two workers lock each other out, while main goes round for ever: a deadlock all the same. Without BROKEN they take
// the locks in the same order.
// expect: safe
// args: -DBROKEN
// expect: unsafe deadlock *
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void serve(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

static void *first(void *arg) {
  for (;;) {
    mz_loop_boundary();
    serve(&a, &b);
  }
  return arg;
}

static void *second(void *arg) {
  for (;;) {
    mz_loop_boundary();
#ifdef BROKEN
    serve(&b, &a);
#else
    serve(&a, &b);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (;;)
    mz_loop_boundary();
}
