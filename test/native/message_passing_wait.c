// The receiver waits in a loop for the flag, and yields meanwhile.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *sender(void *arg) {
  message = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static void *receiver(void *arg) {
  while (!atomic_load_explicit(&flag, memory_order_acquire))
    sched_yield();
  assert(message == 42);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sender, NULL);
  pthread_create(&t[1], NULL, receiver, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
