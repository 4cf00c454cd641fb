// A thread creates the next one and leaves: a chain of three, then main waits for the last one's word. Each creation orders all
// that was before it, so that plain data can be handed on.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int x;
static sem_t done;

static void *link(void *arg) {
  long left = (long)arg;
  x++;
  if (left == 0) {
    sem_post(&done);
    return NULL;
  }
  pthread_t t;
  pthread_create(&t, NULL, link, (void *)(left - 1));
  pthread_detach(t);
  return NULL;
}

int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, NULL, link, (void *)2);
  pthread_join(t, NULL);
  sem_wait(&done);
  assert(x == 3);
}
