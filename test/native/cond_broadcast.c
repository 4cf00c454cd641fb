// Two wait for the start; the broadcast wakes both. BUG: a signal wakes one of them only.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 16|34
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
static int started;

static void *runner(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  while (!started)
    pthread_cond_wait(&start, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, runner, NULL);
  pthread_mutex_lock(&lock);
  started = 1;
#ifdef BUG
  pthread_cond_signal(&start);
#else
  pthread_cond_broadcast(&start);
#endif
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
