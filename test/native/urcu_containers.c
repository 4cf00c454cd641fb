// A queue and a stack of userspace-rcu, from its own headers where these are installed: they rely on volatile accesses.
// BROKEN: two threads take from the queue without its lock.
// args: --volatile=atomic -DQUEUE
// expect: safe
// args: --volatile=atomic -DQUEUE -DBROKEN
// expect: unsafe data-race|assertion *
// args: --volatile=atomic
// expect: safe
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#if !__has_include(<urcu/wfcqueue.h>)
#ifdef BROKEN
static int shared;
#endif
static void *take(void *a) {
#ifdef BROKEN
  shared = 1;
#endif
  return a;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, take, 0);
  pthread_create(&y, 0, take, 0);
  pthread_join(x, 0), pthread_join(y, 0);
}
#elif defined QUEUE
#include <urcu/wfcqueue.h>
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];
static void put(struct cds_wfcq_node *node) {
  cds_wfcq_node_init(node);
  _cds_wfcq_enqueue(cds_wfcq_head_cast(&head), &tail, node);
}
static void *take(void *a) {
  (void)a;
#ifdef BROKEN
  return ___cds_wfcq_dequeue_blocking(cds_wfcq_head_cast(&head), &tail);
#else
  return _cds_wfcq_dequeue_blocking(&head, &tail);
#endif
}
int main(void) {
  pthread_t x, y;
  void *first, *second;
  _cds_wfcq_init(&head, &tail);
  put(&nodes[0]), put(&nodes[1]);
  pthread_create(&x, 0, take, 0);
  pthread_create(&y, 0, take, 0);
  pthread_join(x, &first), pthread_join(y, &second);
  assert(first && second && first != second);
}
#else
#include <urcu/lfstack.h>
static struct __cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];
static void *put(void *node) {
  _cds_lfs_push((cds_lfs_stack_ptr_t){._s = &stack}, node);
  return 0;
}
static void *take(void *a) {
  (void)a;
  return ___cds_lfs_pop((cds_lfs_stack_ptr_t){._s = &stack});
}
int main(void) {
  pthread_t x, y, z;
  void *found;
  ___cds_lfs_init(&stack);
  pthread_create(&x, 0, put, &nodes[0]);
  pthread_create(&y, 0, put, &nodes[1]);
  pthread_create(&z, 0, take, 0);
  pthread_join(x, 0), pthread_join(y, 0), pthread_join(z, &found);
  int count = found != 0;
  while (take(0))
    count++;
  assert(count == 2);
}
#endif
