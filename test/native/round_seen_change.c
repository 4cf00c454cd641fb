// A stack whose pop reads the top, the next element of that (atomically), and finds another top when it is about to take
// it off: it begins again, in the same local state, but it has seen that it will not do the same. What that round has read
// besides is nothing that the next one waits for, however much of its state the compiler keeps: the traces are the same.
// args: --cflags=-O0
// expect: safe traces=32
// args: --cflags=-O1
// expect: safe traces=32
// args: --cflags=-O2
// expect: safe traces=32
// args: --cflags=-O1 --relation=-rounds
// expect: safe traces=818
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { N = 3 };

struct node {
    struct node *_Atomic next;
};
static struct node nodes[N], *_Atomic top;

static void push(struct node *n)
{
    struct node *seen;
    do {
        seen = atomic_load(&top);
        n->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, n));
}

static struct node *pop(void)
{
    struct node *n, *next;
    do {
        n = atomic_load(&top);
        if (!n)
            return NULL;
        next = n->next;
    } while (!atomic_compare_exchange_strong(&top, &n, next));
    return n;
}

static void *take_and_give(void *arg)
{
    struct node *n = pop();
    if (n)
        push(n);
    return arg;
}

static void *take(void *arg)
{
    pop();
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        push(&nodes[i]);
    pthread_create(&t[0], NULL, take, NULL);
    pthread_create(&t[1], NULL, take, NULL);
    pthread_create(&t[2], NULL, take_and_give, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(top != NULL);
    return 0;
}
