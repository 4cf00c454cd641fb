// Michael and Scott's queue with two locks: a dummy keeps enqueuer and dequeuer apart. BUG: without atomic links the two
// meet at the last node.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 32|41
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
#ifdef BUG
  struct node *next;
#else
  struct node *_Atomic next;
#endif
};
static struct node *head, *tail;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *new_node(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = NULL;
  return n;
}

static void *producer(void *arg) {
  struct node *n = new_node((int)(long)arg);
  pthread_mutex_lock(&tail_lock);
  tail->next = n;
  tail = n;
  pthread_mutex_unlock(&tail_lock);
  return NULL;
}

static int dequeue(void) {
  int value = 0;
  pthread_mutex_lock(&head_lock);
  struct node *dummy = head, *first = dummy->next;
  if (first) {
    value = first->value;
    head = first;
    free(dummy);
  }
  pthread_mutex_unlock(&head_lock);
  return value;
}

static void *consumer(void *arg) {
  *(int *)arg = dequeue();
  return NULL;
}

int main(void) {
  pthread_t p[2], c;
  int sum = 0;
  head = tail = new_node(0);
  for (long i = 0; i < 2; i++)
    pthread_create(&p[i], NULL, producer, (void *)(i + 1));
  pthread_create(&c, NULL, consumer, &sum);
  for (int i = 0; i < 2; i++)
    pthread_join(p[i], NULL);
  pthread_join(c, NULL);
  sum += dequeue();
  sum += dequeue();
  assert(sum == 3);
  free(head);
}
