/* Two threads write through a pointer of their own, then redirect the other's. */
#include <stdatomic.h>

#include "threads.h"

enum { ROUNDS = 3 };

static atomic_int x[2];
static atomic_int *_Atomic p[2] = {&x[0], &x[1]};

static void *process(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < ROUNDS; i++)
        *p[me] = i;
    p[1 - me] = &x[me];
    return argument;
}

int main(void)
{
    return run_threads(2, (const thread_function[]){process, process});
}
