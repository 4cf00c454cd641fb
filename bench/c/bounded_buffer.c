// A buffer of two cells with a mutex and two conditions; N items go from one producer to one consumer. Traces: no formula.
// args: -DN=2
// expect: safe
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
#define SIZE 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int cells[SIZE], in, out;

static void *producer(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    while (in - out == SIZE)
      pthread_cond_wait(&not_full, &lock);
    cells[in++ % SIZE] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    while (in == out)
      pthread_cond_wait(&not_empty, &lock);
    int item = cells[out++ % SIZE];
    assert(item == i);
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
