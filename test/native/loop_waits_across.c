// The worker waits for the permit while main goes across a boundary with it. That it could have had the permit first, in
// the iteration before, is a race that crosses the boundary: the only kind that does (search/loop_closing.c).
// expect: safe full=yes
// args: -DBROKEN
// expect: unsafe assertion 23
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permit;
static int order, worker_was, main_was;

static void *worker(void *arg) {
  sem_wait(&permit);
  worker_was = ++order;
  sem_post(&permit);
  return arg;
}

static void check(void) {
#ifdef BROKEN
  if (worker_was)
    mz_assert(worker_was == 2);
#else
  mz_assert(worker_was != main_was);
#endif
}

int main(void) {
  pthread_t t;
  sem_init(&permit, 0, 1);
  pthread_create(&t, NULL, worker, NULL);
  sem_wait(&permit);
  main_was = ++order;
  mz_loop_boundary();
  sem_post(&permit);
  for (;;) {
    mz_loop_boundary();
    check();
  }
}
