/* Planted: account_take() returns without unlocking when there is too little. */
// fails: deadlock
// names: accounts[0].lock
// decides: return -1;
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static int account_take(struct account *from, int amount)
{
    pthread_mutex_lock(&from->lock);
    if (from->balance < amount)
        return -1; /* planted */
    from->balance -= amount;
    pthread_mutex_unlock(&from->lock);
    return 0;
}

static void *taker(void *argument)
{
    account_take(&accounts[0], *(int *)argument);
    return NULL;
}

int main(void)
{
    int amounts[2] = {6, 7};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, taker, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    account_take(&accounts[0], 1);
}
