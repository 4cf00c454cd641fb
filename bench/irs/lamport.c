/* Lamport's fast mutual exclusion for two threads, each once. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y, busy[2];
static int inside;

static void enter(int me, int other)
{
    for (;;) {
        busy[me] = 1;
        x = me + 1;
        if (y != 0) {
            busy[me] = 0;
            while (y != 0)
                ;
            continue;
        }
        y = me + 1;
        if (x == me + 1)
            return;
        busy[me] = 0;
        while (busy[other])
            ;
        if (y == me + 1)
            return;
        while (y != 0)
            ;
    }
}

static void *process(void *argument)
{
    int me = (int)(long)argument;
    enter(me, 1 - me);
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    busy[me] = 0;
    return argument;
}

int main(void)
{
    return run_threads(2, (const thread_function[]){process, process});
}
