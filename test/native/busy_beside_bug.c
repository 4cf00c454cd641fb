// A thread that never ends, and calls the library all the time, does not hide the bug of two others.
// args: -DWORK='malloc(8)'
// expect: unsafe assertion 34
// args: -DWORK='free(malloc(8))'
// expect: unsafe assertion 34
// args: -DWORK='calloc(1,1<<20)'
// expect: unsafe assertion 34
// args: -DWORK='puts("again")'
// expect: unsafe assertion 34
// args: -DWORK='sprintf(text,"%d",1)'
// expect: unsafe assertion 34
// args: -DWORK='usleep(1)'
// expect: unsafe assertion 34
// args: -DWORK='time(NULL)'
// expect: unsafe assertion 34
// args: -DWORK='k++'
// expect: unsafe assertion 34
// args: -DWORK='getenv("NO_SUCH_NAME")' --timeout=15
// expect: unsafe assertion 34
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_int sum;
static char text[16];
static int k;

static void check(void)
{
    assert(sum == 2);
}

static void *busy(void *argument)
{
    for (;;)
        WORK;
    (void)text, (void)k;
    return argument;
}

static void *add(void *argument)
{
    int old = sum;
    sum = old + 1;
    return argument;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, busy, NULL);
    pthread_create(&t[1], NULL, add, NULL);
    pthread_create(&t[2], NULL, add, NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    check();
    return 0;
}
