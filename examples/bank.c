/* Two customers pay into one account. Each of them reads the balance, adds to it and writes it back: what the
 * other one has paid in meanwhile is lost. With -DFIXED a lock keeps the three together.
 *
 *     mazurka check examples/bank.c
 *     mazurka check examples/bank.c --check=assertions
 *     mazurka check examples/bank.c -DFIXED
 */
#include <assert.h>
#include <pthread.h>

static int balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *pay_in(void *amount)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int before = balance;
    balance = before + *(int *)amount;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    static int amounts[2] = {100, 50};
    pthread_t customers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&customers[i], NULL, pay_in, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(customers[i], NULL);
    assert(balance == 150);
    return 0;
}
