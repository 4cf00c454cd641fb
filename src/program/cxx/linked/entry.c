/* Compiled into a program that is checked without its main (--entry): what is called instead. functions[0]
 * comes before the threads, functions[1] after them (NULL: nothing); each of the others is a thread. They may
 * have been written with other types (void f(void), int f(void)): neither the argument nor the result is of
 * interest to anybody then. */
#line 1 "--entry"
#include <pthread.h>

typedef void *function(void *);

int mz_entry_main(int count, function **functions);

int mz_entry_main(int count, function **functions)
{
    pthread_t threads[64];
    if (functions[0])
        functions[0](0);
    for (int i = 2; i < count; i++)
        pthread_create(&threads[i], 0, functions[i], 0);
    for (int i = 2; i < count; i++)
        pthread_join(threads[i], 0);
    if (functions[1])
        functions[1](0);
    return 0;
}
