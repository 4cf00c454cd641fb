// pthread_once: the initialisation happens once and before anybody goes on. BUG: a home-made once with a plain flag.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 21|22|16
#include <assert.h>
#include <pthread.h>

static int initialised;
#ifdef BUG
static int done;
#else
static pthread_once_t once = PTHREAD_ONCE_INIT;
#endif

static void initialise(void) {
  initialised++;
}

static void *worker(void *arg) {
#ifdef BUG
  if (!done) {
    done = 1;
    initialise();
  }
#else
  pthread_once(&once, initialise);
  assert(initialised == 1);
#endif
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
