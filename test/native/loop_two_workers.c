// Two workers, each a loop that serves requests until it is told to stop, whatever comes: no number of iterations is
// assumed. At every boundary the books balance, and the state is one that was there before.
// expect: safe full=yes
// args: -DBROKEN
// expect: unsafe assertion 23
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, moved;

static void move(int amount) {
  pthread_mutex_lock(&lock);
  moved += amount;
#ifdef BROKEN // two moves at the same time: one is lost
  int before = total;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  total = before + amount;
#else
  total += amount;
#endif
  mz_assert(total == moved);
  pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
  for (;;) {
    mz_loop_boundary();
    if (mz_choose(0, 1) == 0)
      return arg;
    move(1);
    move(-1);
  }
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
