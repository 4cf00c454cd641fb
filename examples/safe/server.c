/* A bank that serves requests until it is told to stop. In each iteration both workers take one: a number on
 * a line of standard input, 0: stop, 1: deposit, 2: withdraw. Looking at the balance and changing it are
 * locked each, but not together, so that both may withdraw the last coin. With -DFIXED they are locked
 * together.
 *
 *   mazurka check examples/safe/server.c                      # what goes wrong, after how many requests it
 * may be mazurka plan examples/safe/server.c -o server.mzs         # constraints for each iteration that
 * exclude it (for i in 1 2 2 1 2 0 0; do echo $i; done) | mazurka run --plan=server.mzs
 * examples/safe/server.c */
#include <mazurka.h>
#include <pthread.h>
#include <stdio.h>

enum { STOP, DEPOSIT, WITHDRAW };
enum { MOST = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;

static void change(int request, int seen)
{
    if (request == DEPOSIT && seen < MOST)
        balance++;
    if (request == WITHDRAW && seen > 0)
        balance--;
    mz_assert(balance >= 0);
}

static void serve(int request)
{
    pthread_mutex_lock(&lock);
    int seen = balance;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    change(request, seen);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *name)
{
    for (;;) {
        mz_loop_boundary();
        int request = mz_input_int(name, STOP, WITHDRAW);
        if (request == STOP)
            return NULL;
        serve(request);
    }
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, "first");
    pthread_create(&threads[1], NULL, worker, "second");
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("closed with a balance of %d\n", balance);
    return 0;
}
