/* A lock-free stack of nodes that are used again. A pop that was held up between reading the top and replacing
 * it takes the same top for the same stack, although the node was popped, used, and pushed again meanwhile:
 * a node is then in two hands. With -DFIXED the top carries a number that changes with every change. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, NONE = 255 };

static atomic_uint top; /* the node, and above it the number of changes */
static atomic_uchar next[NODES];
static atomic_int owners[NODES];

static unsigned changed(unsigned old, unsigned node)
{
#ifdef FIXED
    return (old & ~255u) + 256 + node;
#else
    (void)old;
    return node;
#endif
}

static unsigned pop(void)
{
    unsigned old = top;
    while ((old & 255) != NONE && !atomic_compare_exchange_strong(&top, &old, changed(old, next[old & 255])))
        ;
    unsigned node = old & 255;
    if (node != NONE)
        assert(atomic_fetch_add(&owners[node], 1) == 0);
    return node;
}

static void push(unsigned node)
{
    atomic_fetch_sub(&owners[node], 1);
    unsigned old = top;
    do
        next[node] = (unsigned char)(old & 255);
    while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

static void *once(void *argument)
{
    unsigned node = pop();
    if (node != NONE)
        push(node);
    return argument;
}

static void *twice(void *argument)
{
    unsigned first = pop(), second = pop();
    if (first != NONE)
        push(first);
    unsigned third = pop();
    if (second != NONE)
        push(second);
    if (third != NONE)
        push(third);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < NODES; i++)
        next[i] = (unsigned char)(i + 1 < NODES ? i + 1 : NONE);
    pthread_create(&threads[0], NULL, once, NULL);
    pthread_create(&threads[1], NULL, twice, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
