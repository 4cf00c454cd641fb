// A recursive mutex is free only when it was unlocked as often as locked. BUG: once too few.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 12|38
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int depth, total;

static void count(int n) {
  pthread_mutex_lock(&lock);
  assert(++depth <= 3);
  total++;
  if (n > 1)
    count(n - 1);
  depth--;
#ifdef BUG
  if (n > 1)
#endif
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
  count(3);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(total == 6);
}
