// An auditor reads both accounts while money is on its way. Under both locks it finds all of it.
// BUG: it takes one after the other.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 36
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {100, 100};

static void *transfer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock[0]);
  pthread_mutex_lock(&lock[1]);
  balance[0] -= 10;
  balance[1] += 10;
  pthread_mutex_unlock(&lock[1]);
  pthread_mutex_unlock(&lock[0]);
  return NULL;
}

static void *audit(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock[0]);
  int sum = balance[0];
#ifdef BUG
  pthread_mutex_unlock(&lock[0]);
#endif
  pthread_mutex_lock(&lock[1]);
  sum += balance[1];
  pthread_mutex_unlock(&lock[1]);
#ifndef BUG
  pthread_mutex_unlock(&lock[0]);
#endif
  assert(sum == 200);
  return NULL;
}

int main(void) {
  pthread_t t, a;
  pthread_create(&t, NULL, transfer, NULL);
  pthread_create(&a, NULL, audit, NULL);
  pthread_join(t, NULL);
  pthread_join(a, NULL);
}
