// One thread reads what another one frees, in an order that nothing forces: a race, and in one of the orders the end of the
// thread. Executions with the same observation then go on differently, which must not keep any error from being found.
// args: --all-errors
// expect: unsafe memory 23 assertion 46 or data-race * memory 23 assertion 46
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int *block;

static void *reads_y(void *argument)
{
    atomic_store(&x, 2);
    atomic_load(&y);
    return argument;
}

static void *reads_block(void *argument)
{
    atomic_store(&x, 2);
    if (block[0] == 1)
        free(block);
    atomic_exchange(&x, 1);
    return argument;
}

static void *frees(void *argument)
{
    if (atomic_fetch_add(&x, 1) == 0)
        free(block);
    atomic_store(&y, 1);
    return argument;
}

int main(void)
{
    pthread_t t[3];
    block = calloc(2, sizeof *block);
    pthread_create(&t[0], NULL, reads_y, NULL);
    pthread_create(&t[1], NULL, reads_block, NULL);
    pthread_create(&t[2], NULL, frees, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load(&x) != 1);
    return 0;
}
