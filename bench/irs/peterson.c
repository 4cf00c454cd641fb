/* Peterson's mutual exclusion, each thread four times. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

enum { ROUNDS = 4 };

static atomic_int wants[2], turn;
static int inside;

static void *process(void *argument)
{
    int me = (int)(long)argument, other = 1 - me;
    for (int k = 0; k < ROUNDS; k++) {
        wants[me] = 1;
        turn = other;
        while (wants[other] && turn == other)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
    return argument;
}

int main(void)
{
    return run_threads(2, (const thread_function[]){process, process});
}
