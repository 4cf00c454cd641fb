// A wait in no loop, and two that are in one: in the function itself, and in its caller.
// expect: safe warns=wait-once:19
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int stage;

static void wait_for_change(void)
{
    pthread_cond_wait(&change, &lock);
}

static void *once(void *argument)
{
    pthread_mutex_lock(&lock);
    if (stage == 0)
        pthread_cond_wait(&change, &lock);
    assert(stage == 1);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *in_loop(void *argument)
{
    pthread_mutex_lock(&lock);
    while (stage == 0)
        pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *in_loop_of_caller(void *argument)
{
    pthread_mutex_lock(&lock);
    while (stage == 0)
        wait_for_change();
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    void *(*const bodies[])(void *) = {once, in_loop, in_loop_of_caller};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    pthread_mutex_lock(&lock);
    stage = 1;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
