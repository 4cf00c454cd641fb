/* Planted: the stack compares the pointer to its top alone; a node that was popped and pushed again looks as if
 * nothing had happened. */
// fails: assertion failed
// names: stack.top
// decides: compare_exchange
// without: bystander
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int owned;
};
static struct stack {
    _Atomic(struct node *) top;
} stack;
static struct node nodes[2];

static void push(struct node *node)
{
    struct node *top = stack.top;
    do
        node->next = top;
    while (!atomic_compare_exchange_strong(&stack.top, &top, node));
}

static struct node *pop(void)
{
    struct node *top = stack.top;
    while (top) {
        struct node *next = top->next;
        if (atomic_compare_exchange_strong(&stack.top, &top, next)) /* planted: no counter */
            break;
    }
    return top;
}

static struct node *take(void)
{
    struct node *node = pop();
    assert(!node || !node->owned);
    return node;
}

static void *one(void *unused)
{
    pop();
    take();
    return unused;
}

static void *other(void *unused)
{
    struct node *a = pop(), *b = pop();
    if (b)
        b->owned = 1;
    if (a)
        push(a);
    return unused;
}

static void *bystander(void *unused)
{
    struct node *node = take();
    if (node)
        push(node);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    push(&nodes[1]);
    push(&nodes[0]);
    pthread_create(&threads[0], NULL, bystander, NULL);
    pthread_create(&threads[1], NULL, one, NULL);
    pthread_create(&threads[2], NULL, other, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
