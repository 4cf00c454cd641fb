/* Figure 1 of the document on safe execution: two threads count at cells that two inputs choose, without
 * synchronisation, and one of them looks whether its cell holds what it has written there. Only if both cells
 * are the same does anybody have to wait. */
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"
#ifdef MAZURKA
#include <mazurka.h>
#endif

static atomic_int cells[2];
static atomic_int *x, *y; /* of these */

static void *count_and_check(void *argument)
{
    int a = *x;
    *x = a + 1;
    if (*x != a + 1)
        abort();
    return argument;
}

static void *count(void *argument)
{
    int b = *y;
    *y = b + 1;
    return argument;
}

#ifdef MAZURKA
static int input(const char *name, const char *word)
{
    (void)word;
    return mz_input_int(name, 0, 1);
}
#else
static int input(const char *name, const char *word)
{
    (void)name;
    return word[2] == '1'; /* x=1 */
}
#endif

int main(int argc, char **argv)
{
    const thread_function functions[] = {count_and_check, count};
    x = &cells[input("x", argc > 1 ? argv[1] : "x=0")];
    y = &cells[input("y", argc > 2 ? argv[2] : "y=0")];
    return run_threads(2, functions);
}
