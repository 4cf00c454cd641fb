// Where races are no errors, a write to memory that another thread frees fails or not; what its thread does behind it depends
// on that as if it had read it. `lazy` took the write for one that does the same in any order, and missed the traces in which
// more than one write comes before the memory is gone.
// args: --check=assertions,memory --all-errors
// expect: unsafe memory 16 memory 17 traces=3 lazy=yes
// args: --check=assertions,memory --all-errors -DCHECKS
// expect: unsafe memory 16 memory 17 assertion 19 traces=3 lazy=yes
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *writes(void *a)
{
    block[0] = 1;
    block[1] = 1;
#ifdef CHECKS
    assert(!a); /* both of them came in time */
#endif
    return a;
}

int main(void)
{
    pthread_t t;
    block = calloc(2, sizeof(int));
    pthread_create(&t, 0, writes, block);
    free(block);
    pthread_join(t, 0);
    return 0;
}
