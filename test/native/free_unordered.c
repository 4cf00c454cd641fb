// One thread frees what the other one uses, and nothing orders the two: the step after which it is freed belongs to the
// counterexample, although nothing says that it comes before. TWICE: both free it.
// expect: unsafe memory 29 or data-race 18|29
// args: --check=memory
// expect: unsafe memory 29
// args: --check=memory -DTWICE
// expect: unsafe memory 18|27
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *block;
static atomic_int x, y, z;

static void *frees(void *argument)
{
    y++;
    free(block);
    z++;
    return argument;
}

static void *uses(void *argument)
{
    x++;
#ifdef TWICE
    free(block);
#else
    *block = 1;
#endif
    return argument;
}

int main(void)
{
    pthread_t s, t;
    block = malloc(sizeof *block);
    pthread_create(&s, NULL, frees, NULL);
    pthread_create(&t, NULL, uses, NULL);
    x = y = z = 2;
    pthread_join(s, NULL);
    pthread_join(t, NULL);
}
