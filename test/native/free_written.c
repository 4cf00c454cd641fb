// Nobody reads what the one thread writes, but it may do so when the block has been freed by the thread that has read what the
// other one wrote: it matters in which order they write. FIXED: it is freed when all is over. (What races is explored.)
// args: --races=ignore
// expect: unsafe memory 20
// args: --races=ignore -DFIXED
// expect: safe
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *writes_one(void *argument)
{
    *block = 1;
    return argument;
}

static void *writes_two(void *argument)
{
    *block = 2;
    return argument;
}

static void *frees(void *argument)
{
#ifndef FIXED
    if (*block == 1)
        free(block);
#endif
    return argument;
}

int main(void)
{
    pthread_t t[3];
    block = malloc(sizeof *block);
    *block = 0;
    pthread_create(&t[0], NULL, writes_two, NULL);
    pthread_create(&t[1], NULL, writes_one, NULL);
    pthread_create(&t[2], NULL, frees, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
#ifdef FIXED
    free(block);
#endif
    return 0;
}
