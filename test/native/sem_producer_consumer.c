// Producer and consumer with two semaphores around one plain cell. BUG: there are two free cells to begin with.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 15|24 or assertion 25
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t free_cells, used_cells;
static int cell;

static void *producer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&free_cells);
    cell = i;
    sem_post(&used_cells);
  }
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&used_cells);
    int value = cell;
    assert(value == i);
    sem_post(&free_cells);
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
#ifdef BUG
  sem_init(&free_cells, 0, 2);
#else
  sem_init(&free_cells, 0, 1);
#endif
  sem_init(&used_cells, 0, 0);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
