// All under one lock, so no race; but if the one that frees comes first, the other uses what is gone.
// expect: unsafe memory 18
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *p;

static void *frees(void *arg) {
  pthread_mutex_lock(&lock);
  free(p);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *uses(void *arg) {
  pthread_mutex_lock(&lock);
  *p = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  p = calloc(1, sizeof *p);
  pthread_create(&t[0], NULL, uses, NULL);
  pthread_create(&t[1], NULL, frees, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
