/* Planted: cache_get() gives the entry away before it has counted its own reference. */
// fails: freed
// names: entry
// decides: atomic_fetch_sub(&entry->references, 1)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct entry {
    atomic_int references;
    int value;
};
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *cached;

static struct entry *cache_get(void)
{
    pthread_mutex_lock(&cache_lock);
    struct entry *entry = cached;
    pthread_mutex_unlock(&cache_lock);
    if (entry)
        atomic_fetch_add(&entry->references, 1); /* planted: outside of the lock */
    return entry;
}

static void entry_put(struct entry *entry)
{
    if (atomic_fetch_sub(&entry->references, 1) == 1)
        free(entry);
}

static void *reader(void *unused)
{
    struct entry *entry = cache_get();
    if (entry)
        entry_put(entry);
    return unused;
}

static void *remover(void *unused)
{
    pthread_mutex_lock(&cache_lock);
    struct entry *entry = cached;
    cached = NULL;
    pthread_mutex_unlock(&cache_lock);
    entry_put(entry);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    cached = malloc(sizeof *cached);
    cached->references = 1;
    cached->value = 7;
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, remover, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
