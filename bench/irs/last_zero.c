/* Fifteen threads write into an array, each what it finds one cell before its own; another one looks for the
 * last zero. */
#include <stdatomic.h>

#include "threads.h"

enum { THREADS = 16 };

static atomic_int cells[THREADS];

static void *search(void *argument)
{
    int i = THREADS - 1;
    while (cells[i] != 0)
        i--;
    return argument;
}

static void *write_cell(void *argument)
{
    long i = (long)argument;
    cells[i] = cells[i - 1] + 1;
    return argument;
}

int main(void)
{
    thread_function functions[THREADS];
    functions[0] = search;
    for (int i = 1; i < THREADS; i++)
        functions[i] = write_cell;
    return run_threads(THREADS, functions);
}
