// pthread_self is the handle that the creator got, and no two running threads have the same.
// expect: safe
#include <assert.h>
#include <pthread.h>

static pthread_t own[2];

static void *worker(void *arg) {
  own[(long)arg] = pthread_self();
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) {
    pthread_join(t[i], NULL);
    assert(pthread_equal(t[i], own[i]));
  }
  assert(!pthread_equal(t[0], t[1]) && !pthread_equal(t[0], pthread_self()));
}
