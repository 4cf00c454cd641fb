// A lock that is a queue: every thread waits in its own cell, and looks for a successor in a loop, through
// atomic sections. One that does not look leaves it waiting.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 49
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct cell {
    int locked;
    struct cell *next;
};
struct cell *tail;
int c;

static struct cell *__VERIFIER_atomic_swap(struct cell *n)
{
    struct cell *o = tail;
    tail = n;
    return o;
}

static int __VERIFIER_atomic_cas_tail(struct cell *e)
{
    if (tail == e) {
        tail = 0;
        return 1;
    }
    return 0;
}

static void *worker(void *a)
{
    static struct cell cells[2];
    struct cell *me = &cells[a != 0];
    __VERIFIER_atomic_begin();
    me->next = 0;
    me->locked = 1;
    __VERIFIER_atomic_end();
    struct cell *p = __VERIFIER_atomic_swap(me);
    if (p) {
        __VERIFIER_atomic_begin();
        p->next = me;
        __VERIFIER_atomic_end();
        for (int l = 1; l;) {
            __VERIFIER_atomic_begin();
            l = me->locked;
            __VERIFIER_atomic_end();
        }
    }
    c++;
    assert(c == 1);
    c--;
    struct cell *n;
    __VERIFIER_atomic_begin();
    n = me->next;
    __VERIFIER_atomic_end();
    if (!n) {
        if (__VERIFIER_atomic_cas_tail(me))
            return a;
#ifdef BUG
        return a;
#endif
        do {
            __VERIFIER_atomic_begin();
            n = me->next;
            __VERIFIER_atomic_end();
        } while (!n);
    }
    __VERIFIER_atomic_begin();
    n->locked = 0;
    __VERIFIER_atomic_end();
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
