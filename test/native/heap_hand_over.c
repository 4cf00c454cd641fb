// A node allocated by one thread, used by another and freed by a third. BUG: the middle one uses it after it has passed it on.
// expect: safe
// args: -DBUG
// expect: unsafe memory 31 or data-race 31|41
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct node {
  int value;
};
static struct node *box[2];
static sem_t there[2];

static void *first(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  box[0] = n;
  sem_post(&there[0]);
  return arg;
}

static void *second(void *arg) {
  sem_wait(&there[0]);
  struct node *n = box[0];
  n->value++;
  box[1] = n;
  sem_post(&there[1]);
#ifdef BUG
  n->value++;
#endif
  return arg;
}

static void *third(void *arg) {
  sem_wait(&there[1]);
#ifndef BUG
  assert(box[1]->value == 2);
#endif
  free(box[1]);
  return arg;
}

int main(void) {
  pthread_t t[3];
  void *(*work[3])(void *) = {first, second, third};
  for (int i = 0; i < 2; i++)
    sem_init(&there[i], 0, 0);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, work[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
