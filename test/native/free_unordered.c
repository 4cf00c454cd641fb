// One thread frees what the other one uses, and nothing orders the two: the step after which it is freed belongs to the
// counterexample, although nothing says that it comes before. TWICE: both free it. It is a race, too, in whatever order they
// come, also if nobody asks for anything else.
// expect: unsafe memory 34 or data-race 23|34
// args: --check=memory
// expect: unsafe memory 34
// args: --check=memory -DTWICE
// expect: unsafe memory 23|32
// args: --check=data-races
// expect: unsafe data-race 23|34
// args: --check=data-races -DTWICE
// expect: unsafe data-race 23|32
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
