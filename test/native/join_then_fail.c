// Main's last operation reads, and then it fails in the step of another thread, whose end it has waited for: that read
// belongs to the counterexample.
// expect: unsafe assertion 23
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *writer(void *a)
{
    x = 1;
    y = 1;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = x;
    pthread_join(t, 0);
    assert(seen == y);
}
