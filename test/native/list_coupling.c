// A sorted list with a lock per node, searched hand over hand. BUG: the lock of a node is given up before that of the next one is
// taken, and the place found is used nevertheless: an insertion may be lost.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 57
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int key;
  struct node *_Atomic next;
  pthread_mutex_t lock;
};
static struct node last = {100, NULL, PTHREAD_MUTEX_INITIALIZER};
static struct node first = {0, &last, PTHREAD_MUTEX_INITIALIZER};
static struct node nodes[2] = {{10, NULL, PTHREAD_MUTEX_INITIALIZER}, {20, NULL, PTHREAD_MUTEX_INITIALIZER}};

static void *insert(void *arg) {
  struct node *n = arg, *before = &first;
  pthread_mutex_lock(&before->lock);
  struct node *next = before->next;
#ifdef BUG
  pthread_mutex_unlock(&before->lock);
#endif
  pthread_mutex_lock(&next->lock);
  while (next->key < n->key) {
#ifndef BUG
    pthread_mutex_unlock(&before->lock);
#endif
    before = next;
    next = next->next;
#ifdef BUG
    pthread_mutex_unlock(&before->lock);
#endif
    pthread_mutex_lock(&next->lock);
  }
  n->next = next;
  before->next = n;
#ifndef BUG
  pthread_mutex_unlock(&before->lock);
#endif
  pthread_mutex_unlock(&next->lock);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, insert, &nodes[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  int length = 0;
  for (struct node *n = first.next; n != &last; n = n->next)
    length++;
  assert(length == 2);
}
