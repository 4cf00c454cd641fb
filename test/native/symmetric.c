// Three threads that say that they are interchangeable: of the orders of their sections one stands for six.
// (What is refused: test/cli/symmetric_refused.test.)
// args:
// expect: safe traces=90 refined=15
// args: --relation=-symmetry
// expect: safe traces=90
// args: -DBUG
// expect: unsafe assertion 20
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void update(int factor)
{
    pthread_mutex_lock(&mutex);
#ifdef BUG
    assert(value != 9);
#endif
    value = factor * value + 1;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
    mz_symmetric();
    update(2);
    update(3);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
