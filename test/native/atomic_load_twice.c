// clang leaves a plain load behind each atomic one, of a value that nobody uses. It is no access of the program, also where the address
// came from the stack, past calls.
// args: --cc=clang
// expect: safe
// args: --cc=clang -O1
// expect: safe
// expect: safe
// args: --cc=clang -DPLAIN
// expect: unsafe data-race *
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen[2];

static void *reads(void *argument)
{
    int *r = &seen[1];
    *r = *r * 3 + y % 3;
    mz_atomic_begin();
    x = 1;
    mz_atomic_end();
    *r = *r * 3 + y % 3;
#ifdef PLAIN
    *r += *(int *)&y;
#endif
    return argument;
}

static void *writes(void *argument)
{
    y = 2;
    return argument;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, reads, NULL);
    pthread_create(&u, NULL, writes, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
