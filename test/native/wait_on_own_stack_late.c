// A thread polls a word of its own stack, under a mutex. Another thread touches that word for the first time when one round has
// read it already, while other words of that stack are known to be shared: the poller waits for this one, too. (The choice keeps
// that from being found out before, and the atomic section what would make the search begin again anyway.) NEVER: in vain.
// expect: safe traces=3
// args: -DNEVER
// expect: unsafe livelock *
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

struct state {
  long known, done;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t closed, begun;
static struct state *state;
static int polls;

static long is_done(const struct state *s) {
  pthread_mutex_lock(&m);
  long done = s->done;
  pthread_mutex_unlock(&m);
  return done;
}

static void *poll(void *arg) {
  struct state own = {0, 0};
  sem_wait(&closed);
  state = &own;
  sem_post(&begun);
  while (polls && !is_done(&own)) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
  }
  mz_atomic_begin();
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  mz_atomic_end();
  is_done(&own);
  return arg;
}

static void *finish(void *arg) {
  pthread_mutex_lock(&gate);
  sem_post(&closed);
  sem_wait(&begun);
  state->known = 1;
  pthread_mutex_lock(&m);
  if (polls)
#ifdef NEVER
    state->done = 0;
#else
    state->done = 1;
#endif
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&gate);
  return arg;
}

int main(void) {
  pthread_t t[2];
  sem_init(&closed, 0, 0);
  sem_init(&begun, 0, 0);
  polls = mz_choose(0, 1);
  pthread_create(&t[0], NULL, poll, NULL);
  pthread_create(&t[1], NULL, finish, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
