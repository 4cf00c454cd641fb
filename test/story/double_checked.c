/* Planted: the first look at the instance is made without the lock. */
// fails: data race
// names: instance
// at-start
#include <pthread.h>
#include <stdlib.h>

struct logger {
    int level;
};
static pthread_mutex_t creating = PTHREAD_MUTEX_INITIALIZER;
static struct logger *instance;

static struct logger *get_logger(void)
{
    if (!instance) { /* planted */
        pthread_mutex_lock(&creating);
        if (!instance) {
            struct logger *created = malloc(sizeof *created);
            created->level = 3;
            instance = created;
        }
        pthread_mutex_unlock(&creating);
    }
    return instance;
}

static void *work(void *unused)
{
    (void)unused;
    return get_logger()->level == 3 ? NULL : (void *)1;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(instance);
}
