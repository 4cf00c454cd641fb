/* Treiber's stack: a push releases, a pop acquires. */
// expect: safe
// args: -DPUSH=rlx
// expect: unsafe data-race
// args: -DLOOK=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef PUSH
#define PUSH rel
#endif
#ifndef LOOK
#define LOOK acq
#endif
typedef struct node {
    struct node *next;
    int value;
} node;
static _Atomic(node *) head;
static void push(node *n)
{
    n->next = atomic_load_explicit(&head, rlx);
    while (!atomic_compare_exchange_weak_explicit(&head, &n->next, n, PUSH, rlx))
        ;
}
static int pop(void)
{
    node *n = atomic_load_explicit(&head, LOOK);
    while (n && !atomic_compare_exchange_weak_explicit(&head, &n, n->next, LOOK, LOOK))
        ;
    return n ? n->value : 0;
}
static node nodes[2];
static int popped;
static void *pusher(void *u)
{
    nodes[0].value = 1;
    push(&nodes[0]);
    nodes[1].value = 2;
    push(&nodes[1]);
    return u;
}
static void *popper(void *u)
{
    popped = pop() + pop();
    return u;
}
int main(void)
{
    run_two(pusher, popper);
    int rest = pop() + pop();
    assert(popped + rest == 3);
}
