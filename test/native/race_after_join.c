// main reads the result of two threads but has joined only one of them. FIXED: both.
// expect: unsafe data-race 10|22
// args: -DFIXED
// expect: safe traces=1
#include <pthread.h>

static int result[2];

static void *worker(void *arg) {
  result[(long)arg] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  pthread_join(t[0], NULL);
#ifdef FIXED
  pthread_join(t[1], NULL);
#endif
  int sum = result[0] + result[1];
#ifndef FIXED
  pthread_join(t[1], NULL);
#endif
  return sum > 2;
}
