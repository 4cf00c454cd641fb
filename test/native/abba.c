// Two locks taken in opposite orders: either one first or the other, or each holds one.
// expect: unsafe deadlock 13|21|32
// args: --all-errors
// expect: unsafe deadlock 13|21|32 traces=3 found=1
// args: --check=assertions
// expect: safe
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *two(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
