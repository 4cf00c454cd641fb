/* Two threads add each other's number to their own: 17 times, which is 102 events. */
#include <stdatomic.h>

#include "threads.h"

enum { ROUNDS = 17 };

static atomic_uint i = 1, j = 1;

static void *one(void *argument)
{
    for (int k = 0; k < ROUNDS; k++)
        i = i + j;
    return argument;
}

static void *two(void *argument)
{
    for (int k = 0; k < ROUNDS; k++)
        j = j + i;
    return argument;
}

int main(void)
{
    return run_threads(2, (const thread_function[]){one, two});
}
