// A lock for readers and writers out of functions that are atomic sections and assume: they wait in front of
// them. A reader that does not wait sees the writer's change come in between.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 74
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static int w, r, x, y;

static void __VERIFIER_atomic_take_write_lock(void)
{
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
}
#ifdef BUG

static void __VERIFIER_atomic_take_read_lock(void)
{
    r = r + 1;
}
#else

static void __VERIFIER_atomic_take_read_lock(void)
{
    __VERIFIER_assume(w == 0);
    r = r + 1;
}
#endif

static void __VERIFIER_atomic_release_write_lock(void)
{
    w = 0;
}

static void __VERIFIER_atomic_release_read_lock(void)
{
    r = r - 1;
}

static void set(int *p, int v)
{
    __VERIFIER_atomic_begin();
    *p = v;
    __VERIFIER_atomic_end();
}

static int get(int *p)
{
    __VERIFIER_atomic_begin();
    int v = *p;
    __VERIFIER_atomic_end();
    return v;
}

static void *writer(void *a)
{
    __VERIFIER_atomic_take_write_lock();
    set(&x, 3);
    __VERIFIER_atomic_release_write_lock();
    return a;
}

static void *reader(void *a)
{
    __VERIFIER_atomic_take_read_lock();
    int l = get(&x);
    set(&y, l);
    int now = get(&x);
    assert(get(&y) == now);
    __VERIFIER_atomic_release_read_lock();
    return a;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
