// Transfers between two accounts under one lock each, taken in the order of their numbers. BUG: in the order of the transfer.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 19|32
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {100, 100};

static void *transfer(void *arg) {
  long from = (long)arg, to = 1 - from;
#ifdef BUG
  long first = from;
#else
  long first = 0;
#endif
  pthread_mutex_lock(&lock[first]);
  pthread_mutex_lock(&lock[1 - first]);
  balance[from] -= 10;
  balance[to] += 10;
  pthread_mutex_unlock(&lock[0]);
  pthread_mutex_unlock(&lock[1]);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, transfer, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(balance[0] == 100 && balance[1] == 100);
}
