// A value that is computed once and waited for by two. BUG: the value is stored after the word that it is there.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 40|19
#include <assert.h>
#include <pthread.h>

static struct {
  pthread_mutex_t lock;
  pthread_cond_t there;
  int ready, value;
} future = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static int get(void) {
  pthread_mutex_lock(&future.lock);
  while (!future.ready)
    pthread_cond_wait(&future.there, &future.lock);
  pthread_mutex_unlock(&future.lock);
  return future.value;
}

static void *user(void *arg) {
  *(int *)arg = get();
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int seen[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, user, &seen[i]);
#ifndef BUG
  future.value = 42;
#endif
  pthread_mutex_lock(&future.lock);
  future.ready = 1;
  pthread_cond_broadcast(&future.there);
  pthread_mutex_unlock(&future.lock);
#ifdef BUG
  future.value = 42;
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(seen[0] == 42 && seen[1] == 42);
}
