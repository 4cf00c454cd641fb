// What a program keeps from being instrumented is seen all the same.
// expect: unsafe data-race 12
// args: --cc=clang
// expect: unsafe data-race 12
#include <pthread.h>

static int count;

__attribute__((no_sanitize("thread"))) static void *add(void *argument)
{
    /* no_sanitize, the word, means nothing else */
    count++;
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
