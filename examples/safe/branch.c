/* A branch of the bank, all at once: three customers withdraw from one account, as in bank.c, where looking
 * at the balance and taking the money are locked each, but not together. Two clerks pay money into other
 * accounts, and an auditor looks at the balance: they have nothing to do with that, and a plan that excludes
 * the bug need not hold them up ('mazurka plan --minimise'). With -DFIXED there is no bug. */
#include <assert.h>
#include <pthread.h>

enum { CUSTOMERS = 3, CLERKS = 2, AMOUNT = 80 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

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
    pthread_mutex_unlock(&lock);
}

static void *withdraw(void *argument)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    if (balance >= AMOUNT)
        balance -= AMOUNT;
    pthread_mutex_unlock(&lock);
    (void)has;
    (void)take;
#else
    if (has(AMOUNT))
        take(AMOUNT);
#endif
    return argument;
}

static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;
static int other_balance;

static void *pay_in(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&other_lock);
        other_balance += 10;
        pthread_mutex_unlock(&other_lock);
    }
    return argument;
}

static int seen;

static void *audit(void *argument)
{
    pthread_mutex_lock(&lock);
    seen = balance;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t customers[CUSTOMERS], clerks[CLERKS], auditor;
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&customers[i], NULL, withdraw, NULL);
    for (int i = 0; i < CLERKS; i++)
        pthread_create(&clerks[i], NULL, pay_in, NULL);
    pthread_create(&auditor, NULL, audit, NULL);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(customers[i], NULL);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(clerks[i], NULL);
    pthread_join(auditor, NULL);
    assert(balance >= 0 && other_balance == CLERKS * 20);
    return seen > 100;
}
