// Who hears of a message from somebody who has read it can read it, too. Three conflicts, one orientation is cyclic: 7 traces.
// expect: safe traces=7 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *sender(void *arg) {
  x = 1;
  return arg;
}

static void *forwarder(void *arg) {
  int seen = x;
  y = seen + 1;
  return arg;
}

static void *receiver(void *arg) {
  int b = y;
  int a = x;
  assert(b != 2 || a == 1);
  return arg;
}

int main(void) {
  pthread_t t[3];
  void *(*work[3])(void *) = {sender, forwarder, receiver};
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, work[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
