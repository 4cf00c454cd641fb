// Two locks, one after the other: whoever is first at the one may be second at the other, 2 * 2 traces.
// expect: safe traces=4 full=yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter[2];

static void *worker(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock[i]);
    counter[i]++;
    pthread_mutex_unlock(&lock[i]);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(counter[0] == 2 && counter[1] == 2);
}
