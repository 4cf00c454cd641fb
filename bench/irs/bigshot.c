/* One thread makes a text, the other writes into it if it is there. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

static char *_Atomic text;

static void *make(void *argument)
{
    text = calloc(8, 1);
    return argument;
}

static void *write_text(void *argument)
{
    char *where = text;
    if (where)
        strcpy(where, "Bigshot");
    return argument;
}

int main(void)
{
    return run_threads(2, (const thread_function[]){make, write_text});
}
