/* Planted: account_take() returns without unlocking when there is too little. */
// fails: deadlock
// names: accounts[0].lock
// decides: pthread_mutex_lock(&from->lock)
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static int account_take(struct account *from, int amount)
{
    pthread_mutex_lock(&from->lock);
    if (from->balance < amount)
        return -1; /* planted */
    from->balance -= amount;
    pthread_mutex_unlock(&from->lock);
    return 0;
}

static void *taker(void *unused)
{
    account_take(&accounts[0], 5);
    return unused;
}

static void *giver(void *unused)
{
    pthread_mutex_lock(&accounts[0].lock);
    accounts[0].balance += 5;
    pthread_mutex_unlock(&accounts[0].lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, taker, NULL);
    pthread_create(&threads[1], NULL, giver, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
