// An event counter: a consumer remembers the count, looks for work, and sleeps only while the count is unchanged.
// BUG: it looks for work first and remembers afterwards: the work that comes in between is slept over.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 25|60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int work;
static unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static unsigned remember(void) {
  pthread_mutex_lock(&lock);
  unsigned c = count;
  pthread_mutex_unlock(&lock);
  return c;
}

static void sleep_while(unsigned c) {
  pthread_mutex_lock(&lock);
  while (count == c)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

static void *consumer(void *arg) {
  (void)arg;
  for (;;) {
#ifdef BUG
    if (work)
      break;
    sleep_while(remember());
#else
    unsigned c = remember();
    if (work)
      break;
    sleep_while(c);
#endif
  }
  return NULL;
}

static void *producer(void *arg) {
  (void)arg;
  work = 1;
  pthread_mutex_lock(&lock);
  count++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t c, p;
  pthread_create(&c, NULL, consumer, NULL);
  pthread_create(&p, NULL, producer, NULL);
  pthread_join(c, NULL);
  pthread_join(p, NULL);
  assert(count == 1);
}
