// What was pushed is called when the thread ends before it is popped, the last one first, from whatever depth; and when it is popped
// with an order to do so. Without the handler (BUG) the mutex stays locked for ever.
// expect: safe traces=2
// args: --cc=clang
// expect: safe traces=2
// args: --cflags=-O0
// expect: safe
// args: --cflags=-fexceptions
// expect: error 27 the program calls '__pthread_cleanup_routine', which cannot be checked
// args: -DBUG
// expect: unsafe deadlock *
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[2], calls, sum;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void note(void *digit) { order[calls++ % 2] = *(int *)digit; }

static void leave(int depth) {
  int two = 2;
  if (depth > 0) {
    leave(depth - 1);
    return;
  }
  pthread_cleanup_push(note, &two);
  pthread_exit(&sum);
  pthread_cleanup_pop(0);
}

static void *worker(void *arg) {
  int one = 1, popped = 7;
  pthread_mutex_lock(&lock);
#ifndef BUG
  pthread_cleanup_push(unlock, &lock);
#endif
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &popped);
  pthread_cleanup_pop(calls % 2);
  leave(3);
  pthread_cleanup_pop(1);
#ifndef BUG
  pthread_cleanup_pop(1);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(t[i], &result);
    assert(result == &sum);
  }
  assert(calls == 4 && order[0] == 2 && order[1] == 1);
}
