// A library without a main: its functions are threads, with something before and after them. Types of all kinds.
// args: --entry=push,pop,count
// expect: unsafe crash|memory *
// args: --entry=push,push,pop --entry-setup=prepare
// expect: safe
// args: --entry=push,push --entry-setup=prepare --entry-finally=check_two
// expect: safe
// args: --entry=push,push --entry-setup=prepare --entry-finally=check_two -DBUG
// expect: unsafe assertion 55 or data-race *
// args: --entry=push,pop,count --entry-setup=prepare --entry-finally=check_two
// expect: unsafe assertion 55
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

struct stack {
  pthread_mutex_t mutex;
  struct node *top;
};

static struct stack *stack;

void prepare(void) {
  stack = calloc(1, sizeof *stack);
  pthread_mutex_init(&stack->mutex, NULL);
}

void push(void) {
  struct node *node = malloc(sizeof *node);
#ifndef BUG
  pthread_mutex_lock(&stack->mutex);
#endif
  node->next = stack->top;
  stack->top = node;
#ifndef BUG
  pthread_mutex_unlock(&stack->mutex);
#endif
}

void *pop(void *arg) {
  pthread_mutex_lock(&stack->mutex);
  struct node *node = stack->top;
  if (node)
    stack->top = node->next;
  pthread_mutex_unlock(&stack->mutex);
  free(node);
  return arg;
}

int check_two(void) {
  assert(stack->top && stack->top->next && !stack->top->next->next);
  return 0;
}

int count(void) {
  int nodes = 0;
  pthread_mutex_lock(&stack->mutex);
  for (struct node *node = stack->top; node; node = node->next)
    nodes++;
  pthread_mutex_unlock(&stack->mutex);
  return nodes;
}
