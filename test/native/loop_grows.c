// A counter of what was served makes every state a new one: there is no end to it, and the verdict says why. If the
// program says that the counter does not matter, there are two states (that nobody reads it is then an assumption).
// args: --boundary-states=50
// expect: incomplete served: 98 → 100
// args: -DIGNORED
// expect: safe full=yes
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int served;

static void *worker(void *arg) {
  for (;;) {
    mz_loop_boundary();
    pthread_mutex_lock(&lock);
    served++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
#ifdef IGNORED
  mz_boundary_ignore(&served, sizeof served);
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
// compilers: without optimisation what is ignored is also in temporary variables on the stack
