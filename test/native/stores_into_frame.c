// The struct that a call returns goes straight into a local variable whose address another thread has. LARGE: through memory.
// FIXED: under a lock.
// expect: unsafe data-race 32|42|27
// args: -DLARGE
// expect: unsafe data-race 32|42|27
// args: -DFIXED
// expect: safe traces=2
// args: -DFIXED -DLARGE
// expect: safe traces=2
#include <pthread.h>

#ifdef FIXED
#define LOCK pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)
#else
#define LOCK
#define UNLOCK
#endif
struct pair {
  long a, b;
#ifdef LARGE
  long c, d;
#endif
};
static pthread_mutex_t lock __attribute__((unused)) = PTHREAD_MUTEX_INITIALIZER;

static struct pair make(long a) { return (struct pair){a, a}; }

static void *looks(void *arg) {
  const struct pair *pair = arg;
  LOCK;
  long seen = pair->a;
  UNLOCK;
  return seen == 1 ? arg : NULL;
}

int main(void) {
  struct pair pair = {0, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, looks, &pair);
  LOCK;
  pair = make(1);
  UNLOCK;
  pthread_join(thread, NULL);
}
