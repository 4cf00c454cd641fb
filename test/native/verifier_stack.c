// A stack whose top is moved by compare-and-swap, a function that is an atomic section. Freeing what was
// popped races with those who still look at it.
// expect: safe
// args: -DBUG
// expect: unsafe data-race|memory 54|51
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct node {
    int value;
    struct node *next;
};
struct node *top;

static _Bool __VERIFIER_atomic_cas(struct node **p, struct node *e, struct node *n)
{
    if (*p != e)
        return 0;
    *p = n;
    return 1;
}

static struct node *get(struct node **p)
{
    __VERIFIER_atomic_begin();
    struct node *v = *p;
    __VERIFIER_atomic_end();
    return v;
}

static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    do {
        n->next = get(&top);
    } while (!__VERIFIER_atomic_cas(&top, n->next, n));
}

static int pop(void)
{
    struct node *t;
    do {
        t = get(&top);
        if (!t)
            return -1;
    } while (!__VERIFIER_atomic_cas(&top, t, t->next));
    int v = t->value;
#ifdef BUG
    free(t);
#endif
    return v;
}

static void *worker(void *a)
{
    push(1);
    int v = pop();
    assert(v == 1);
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
