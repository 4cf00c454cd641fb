// volatile is no synchronisation: a data race, whatever the machine does.
// expect: unsafe data-race 9|10|15|17
#include <pthread.h>

static volatile int flag;
static int message;

static void *sender(void *arg) {
  message = 42;
  flag = 1;
  return arg;
}

static void *receiver(void *arg) {
  while (!flag) {
  }
  return message == 42 ? arg : NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sender, NULL);
  pthread_create(&t[1], NULL, receiver, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
