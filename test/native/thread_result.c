// What a thread returns or gives to pthread_exit reaches whoever joins it.
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>

static void leave(long value) {
  pthread_exit((void *)value);
}

static void *worker(void *arg) {
  long me = (long)arg;
  if (me % 2)
    leave(me * 10);
  return (void *)(me * 100);
}

int main(void) {
  pthread_t t[4];
  long sum = 0;
  for (long i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(t[i], &result);
    sum += (long)result;
  }
  assert(sum == 0 + 10 + 200 + 30);
}
