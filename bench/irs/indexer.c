/* Fifteen threads put four messages each into a hash table of 128 cells; from twelve on they meet. */
#include <stdatomic.h>

#include "threads.h"

enum { THREADS = 15, SIZE = 128, MESSAGES = 4 };

static atomic_int table[SIZE];

static void *process(void *argument)
{
    int me = (int)(long)argument;
    for (int m = 1; m <= MESSAGES; m++) {
        int message = m * 11 + me, cell = message * 7 % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[cell], &empty, message)) {
            cell = (cell + 1) % SIZE;
            empty = 0;
        }
    }
    return argument;
}

int main(void)
{
    thread_function functions[THREADS];
    for (int i = 0; i < THREADS; i++)
        functions[i] = process;
    return run_threads(THREADS, functions);
}
