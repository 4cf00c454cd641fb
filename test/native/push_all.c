// A stack onto which three threads push one each and which main takes as a whole in the end. All six orders can be told
// apart, and each is reached with and without failed compare-and-swaps.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 38
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define N 3
struct node {
  struct node *next;
};
static struct node nodes[N], *_Atomic top;

static void *push(void *arg) {
  struct node *n = arg;
  n->next = top;
#ifdef BUG
  top = n;
#else
  while (!atomic_compare_exchange_strong(&top, &n->next, n)) {
  }
#endif
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, push, &nodes[i]);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  int length = 0;
  for (struct node *n = top; n; n = n->next)
    length++;
  assert(length == N);
}
