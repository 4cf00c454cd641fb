// Additions of which nobody looks at the result commute; each of them makes the last thread wait, or lets it go on.
// args: --check=assertions -DWANTED=0
// expect: unsafe assertion 20
// args: --check=assertions -DWANTED=1
// expect: unsafe assertion 20
// args: --check=assertions -DWANTED=3
// expect: unsafe assertion 20
// args: -DWANTED=4
// expect: unsafe livelock 18
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *await(void *unused)
{
    while (sum != WANTED) {
    }
    assert(sum < 0);
    return unused;
}

static void *add(void *unused)
{
    atomic_fetch_add(&sum, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 3 ? add : await, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
