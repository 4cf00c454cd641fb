/* Two customers withdraw from one account. Looking at the balance and taking the money are locked each, but
 * not together: both may see enough for one of them. With -DFIXED they are locked together. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, paid;

static int has(int amount)
{
    pthread_mutex_lock(&lock);
    int enough = balance >= amount;
    pthread_mutex_unlock(&lock);
    return enough;
}

static void take(int amount)
{
    pthread_mutex_lock(&lock);
    balance -= amount;
    paid += amount;
    pthread_mutex_unlock(&lock);
}

static void *withdraw(void *argument)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    if (balance >= 80) {
        balance -= 80;
        paid += 80;
    }
    pthread_mutex_unlock(&lock);
    (void)has;
    (void)take;
#else
    if (has(80))
        take(80);
#endif
    return argument;
}

/* Somebody else's business, in any order with the rest: deposits into another account. */
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;
static int other_balance;

static void *deposit(void *argument)
{
    pthread_mutex_lock(&other_lock);
    other_balance += (int)(long)argument;
    pthread_mutex_unlock(&other_lock);
    return argument;
}

int main(void)
{
    pthread_t customers[2], others[4];
    for (int i = 0; i < 2; i++)
        pthread_create(&customers[i], NULL, withdraw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(customers[i], NULL);
    for (long i = 0; i < 4; i++)
        pthread_create(&others[i], NULL, deposit, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(others[i], NULL);
    assert(balance >= 0 && balance + paid == 100 && other_balance == 6);
    return 0;
}
