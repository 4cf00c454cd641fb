// expect: safe traces=5 refined=3
// A calculation by lea behind the call does not read the result.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int v[2];
static int x[3], seen[4];
static int cas(atomic_int *p, int k)
{
    int e = 0;
    return atomic_compare_exchange_strong(p, &e, k);
}
static void *t0(void *a)
{
    int r = 0, k = 0;
    r = cas(&v[1], 2);
    k = (k * 3 + r) & 15;
    r = x[1];
    k = (k * 3 + r) & 15;
    atomic_fetch_add(&v[0], 1);
    r = x[2];
    k = (k * 3 + r) & 15;
    seen[0] = k;
    return a;
}
static void *t1(void *a)
{
    int r = 0, k = 0;
    atomic_store(&v[0], 1);
    r = x[1];
    k = (k * 3 + r) & 15;
    r = (int)atomic_load(&v[1]);
    k = (k * 3 + r) & 15;
    atomic_fetch_add(&v[0], 1);
    seen[1] = k;
    return a;
}
int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
