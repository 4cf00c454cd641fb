// A read-write lock: two read together, one writes alone. BUG: the writer has only the read lock.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 17|24
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *arg) {
#ifdef BUG
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  a++, b++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t w, r[2];
  pthread_create(&w, NULL, writer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&r[i], NULL, reader, NULL);
  pthread_join(w, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(r[i], NULL);
  assert(a == 1);
}
