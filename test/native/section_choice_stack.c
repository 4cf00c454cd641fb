// What is pushed is chosen in the section that pushes, and an assumption there takes some values away.
// Others must come.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 51
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int top, pushed, popped, stack[8];

static void *pusher(void *a)
{
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        int v = __VERIFIER_nondet_int();
        __VERIFIER_assume(v > 0);
        stack[top++] = v;
        pushed += v;
        __VERIFIER_atomic_end();
    }
    return a;
}

static void *popper(void *a)
{
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        if (top > 0)
            popped += stack[--top];
        __VERIFIER_atomic_end();
    }
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < top; i++)
        popped += stack[i];
    assert(popped == pushed);
#ifdef BUG
    assert(pushed != 3);
#endif
}
