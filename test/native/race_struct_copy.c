// A structure is copied as a whole while another thread writes one member. FIXED: under a lock.
// expect: unsafe data-race 17|28
// args: -DFIXED
// expect: safe traces=2
#include <pthread.h>

struct record {
  long a, b, c, d;
};
static struct record shared, copy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  shared.c = 1;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return arg;
}

static void *reader(void *arg) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  copy = shared;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  (void)&lock;
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return copy.c > 1;
}
