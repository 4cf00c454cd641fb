// What runs before main is checked like the rest: it may create threads, its thread-local variables are main's, and its
// mistakes are found.
// expect: safe traces=2 refined=1
// args: -DBUG=1
// expect: unsafe data-race 31|46
// args: -DBUG=2
// expect: unsafe memory 38
// args: -DBUG=3
// expect: unsafe assertion 40
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_t thread;
static atomic_int x;
static int plain;
static _Thread_local int own;
static int *block;

static void *worker(void *argument)
{
    x++;
    if (BUG != 1)
        return argument;
    (void)argument;
    plain++;
    return NULL;
}

__attribute__((constructor(101))) static void first(void)
{
    block = malloc(4);
    block[BUG == 2] = 1;
    own = 7;
    assert(BUG != 3);
    pthread_create(&thread, NULL, worker, NULL);
}

__attribute__((constructor(102))) static void second(void)
{
    plain++;
    assert(own == 7 && *block == 1);
}

int main(void)
{
    x++;
    assert(own == 7);
    pthread_join(thread, NULL);
    assert(x == 2);
    free(block);
}
