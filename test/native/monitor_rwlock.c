// A reader-writer lock built from a mutex and a condition. BUG: the writer waits for the readers but not for another writer.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 23
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, shared;

static void *writer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
#ifdef BUG
  while (readers > 0)
#else
  while (readers > 0 || writing)
#endif
    pthread_cond_wait(&changed, &lock);
  writing++;
  pthread_mutex_unlock(&lock);
  shared++;
  pthread_mutex_lock(&lock);
  writing--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *reader(void *arg) {
  pthread_mutex_lock(&lock);
  while (writing)
    pthread_cond_wait(&changed, &lock);
  readers++;
  pthread_mutex_unlock(&lock);
  *(int *)arg = shared;
  pthread_mutex_lock(&lock);
  if (--readers == 0)
    pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t w[2], r;
  int seen;
  for (int i = 0; i < 2; i++)
    pthread_create(&w[i], NULL, writer, NULL);
  pthread_create(&r, NULL, reader, &seen);
  for (int i = 0; i < 2; i++)
    pthread_join(w[i], NULL);
  pthread_join(r, NULL);
  assert(shared == 2 && seen >= 0 && seen <= 2);
}
