/* A lock-free stack (Treiber). A node that pop has taken out is kept for the next push, if none is kept yet. The
 * head has a counter beside the index of the first node, so that a node which has come back is not taken for
 * the one that was there before (ABA).
 *
 *   mazurka clients examples/library/stack.c --clients=examples/library/stack.clients
 *
 * -DABA: no counter.  -DLOST: push does not look whether the head has changed.  -DEARLY: pop gives its node
 * away before it has read the number. */
#include <stdatomic.h>
#include <stdlib.h>

enum { NODES = 16, INDEX = 0xff };

typedef struct node {
    int value;
    atomic_uint next; /* index, from 1; 0: none */
} node;

typedef struct stack {
    atomic_uint head;  /* count << 8 | index */
    atomic_uint spare; /* index; 0: none */
    atomic_uint used;  /* nodes that were ever in use */
    node nodes[NODES + 1];
} stack;

static unsigned with_count(unsigned old, unsigned index)
{
#ifdef ABA
    (void)old;
    return index;
#else
    return ((old >> 8) + 1) << 8 | index;
#endif
}

stack *stack_new(void)
{
    return calloc(1, sizeof(stack));
}

void stack_free(stack *s)
{
    free(s);
}

void push(stack *s, int value)
{
    unsigned index = atomic_exchange(&s->spare, 0);
    if (!index)
        index = ++s->used;
    s->nodes[index].value = value;
    unsigned old = s->head;
#ifdef LOST
    s->nodes[index].next = old & INDEX;
    s->head = with_count(old, index);
#else
    do
        s->nodes[index].next = old & INDEX;
    while (!atomic_compare_exchange_strong(&s->head, &old, with_count(old, index)));
#endif
}

/* -1: it is empty. */
int pop(stack *s)
{
    unsigned old = s->head, next;
    do {
        if (!(old & INDEX))
            return -1;
        next = s->nodes[old & INDEX].next;
    } while (!atomic_compare_exchange_strong(&s->head, &old, with_count(old, next)));
#ifdef EARLY
    atomic_compare_exchange_strong(&s->spare, &(unsigned){0}, old & INDEX);
    return s->nodes[old & INDEX].value;
#else
    int value = s->nodes[old & INDEX].value;
    atomic_compare_exchange_strong(&s->spare, &(unsigned){0}, old & INDEX);
    return value;
#endif
}
