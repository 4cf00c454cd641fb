// Thread-local variables: everyone has its own, with its initial value, and two threads can use them at once.
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>

static __thread int counter = 5;
static _Thread_local int zero;

static void *worker(void *arg) {
  int n = (int)(long)arg;
  for (int i = 0; i < n; i++)
    counter++, zero--;
  assert(counter == 5 + n && zero == -n);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  counter = 100;
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(counter == 100 && zero == 0);
}
