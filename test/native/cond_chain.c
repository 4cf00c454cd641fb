// Every thread that waits is woken although the waker has only one signal: each passes it on.
// expect: safe
#include <assert.h>
#include <pthread.h>

#define N 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int started, through;

static void *runner(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  while (!started)
    pthread_cond_wait(&go, &lock);
  through++;
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, runner, NULL);
  pthread_mutex_lock(&lock);
  started = 1;
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(through == N);
}
