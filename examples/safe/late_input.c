// Two customers share three accounts. Each decides when it is already being served which account it draws from: it
// looks at the account, gives the counter free, and then takes a coin. If both draw from the
// same account, one of them may take a coin that is no longer there. Which plan applies is not known before both
// have said which account it is: up to there it is the same, and then the guard x == y decides.
//
//   mazurka plan --first-trace=fair late_input.c -o late.mzs && mazurka show late.mzs
//   mazurka run --plan=late.mzs --repeat=1000 --inputs=random late_input.c
//   mazurka run late_input.c -- x=1 y=1
//
// With -DFIXED a customer keeps the counter until it has its coin.
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

enum { ACCOUNTS = 3 };

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static int coins[ACCOUNTS] = {1, 1, 1};

static void *customer(void *name)
{
    pthread_mutex_lock(&counter);
    pthread_mutex_unlock(&counter);
    int mine = mz_input_int(name, 0, ACCOUNTS - 1);
    pthread_mutex_lock(&counter);
    int there = coins[mine];
#ifndef FIXED
    pthread_mutex_unlock(&counter);
    pthread_mutex_lock(&counter);
#endif
    if (there > 0)
        coins[mine]--;
    mz_assert(coins[mine] >= 0);
    pthread_mutex_unlock(&counter);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, customer, "x");
    pthread_create(&second, NULL, customer, "y");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
