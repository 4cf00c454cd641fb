// A loop without end that touches nothing of the others: the checker comes back nevertheless.
// args: --patience=0.3s
// expect: incomplete endless loop
#include <pthread.h>

static void *worker(void *arg) {
  volatile unsigned n = 0;
  for (;;)
    n = n + 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
}
