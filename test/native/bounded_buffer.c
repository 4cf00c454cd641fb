// A buffer of one cell with condition variables, one producer, two consumers. BUG_IF: a consumer does not look again when it
// wakes up. BUG_SIGNAL: all wait on one condition and one of them is woken: maybe the wrong one.
// expect: safe
// args: -DBUG_IF
// expect: unsafe assertion 43
// args: -DBUG_SIGNAL
// expect: unsafe deadlock 25|42|56
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#ifdef BUG_SIGNAL
#define not_full not_empty
#else
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#endif
static int full, value, sum;

static void *producer(void *arg) {
  (void)arg;
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&lock);
    while (full)
      pthread_cond_wait(&not_full, &lock);
    full = 1;
    value = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
#ifdef BUG_IF
  if (!full)
#else
  while (!full)
#endif
    pthread_cond_wait(&not_empty, &lock);
  assert(full);
  full = 0;
  sum += value;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t p, c[2];
  pthread_create(&p, NULL, producer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&c[i], NULL, consumer, NULL);
  pthread_join(p, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(c[i], NULL);
  assert(sum == 3);
}
