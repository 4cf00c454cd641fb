/* Dekker's mutual exclusion, each thread once. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int wants[2], turn;
static int inside;

static void *process(void *argument)
{
    int me = (int)(long)argument, other = 1 - me;
    wants[me] = 1;
    while (wants[other])
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    inside++;
    assert(inside == 1);
    inside--;
    turn = other;
    wants[me] = 0;
    return argument;
}

int main(void)
{
    return run_threads(2, (const thread_function[]){process, process});
}
