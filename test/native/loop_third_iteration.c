// The bug needs a state that only two iterations lead to: the level rises by one in each that serves a request of that
// kind, and the third finds it full, if nobody has drained it. Without BROKEN it never rises beyond that.
// expect: safe full=yes
// args: -DBROKEN
// expect: unsafe assertion 18
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void fill(void) {
  pthread_mutex_lock(&lock);
#ifndef BROKEN
  if (level < 2)
#endif
    level++;
  mz_assert(level < 3);
  pthread_mutex_unlock(&lock);
}

static void drain(void) {
  pthread_mutex_lock(&lock);
  level = 0;
  pthread_mutex_unlock(&lock);
}

static void *drainer(void *arg) {
  for (;;) {
    mz_loop_boundary();
    if (mz_choose(0, 1))
      drain();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, drainer, NULL);
  for (;;) {
    mz_loop_boundary();
    fill();
  }
}
