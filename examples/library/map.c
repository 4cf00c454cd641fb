/* A hash map from small numbers to numbers, which grows: who looks takes no lock. Tables that were
 * outgrown are kept until the end.
 *
 *   mazurka clients examples/library/map.c --clients=examples/library/map.clients
 *
 * -DRESIZE: what is put into a table while it is copied is lost.  -DVISIBLE: a new entry has its
 * key before its value.  -DOLD: the old table is freed while somebody may still look at it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct table {
    unsigned size;
    struct table *older;
    struct {
        atomic_int key, value; /* key 0: unused */
    } entries[];
} table;

typedef struct map {
    pthread_mutex_t lock;
    _Atomic(table *) now;
    unsigned used;
    int grows;
} map;

static table *table_new(unsigned size, table *older)
{
    table *t = calloc(1, sizeof *t + size * sizeof t->entries[0]);
    t->size = size;
    t->older = older;
    return t;
}

map *map_new(unsigned size)
{
    map *m = calloc(1, sizeof *m);
    pthread_mutex_init(&m->lock, NULL);
    m->now = table_new(size, NULL);
    return m;
}

static unsigned place_of(table *t, int key)
{
    unsigned at = (unsigned)key % t->size;
    for (int there; (there = t->entries[at].key) != 0 && there != key;)
        at = (at + 1) % t->size;
    return at;
}

static int insert(table *t, int key, int value)
{
    unsigned at = place_of(t, key);
    int is_new = t->entries[at].key == 0;
#ifdef VISIBLE
    t->entries[at].key = key;
    t->entries[at].value = value;
#else
    t->entries[at].value = value;
    t->entries[at].key = key;
#endif
    return is_new;
}

static table *grown(table *t)
{
    table *larger = table_new(2 * t->size, t);
    for (unsigned i = 0; i < t->size; i++)
        if (t->entries[i].key != 0)
            insert(larger, t->entries[i].key, t->entries[i].value);
    return larger;
}

static void grow(map *m)
{
    table *t = m->now;
#ifdef RESIZE
    m->grows = 1;
    pthread_mutex_unlock(&m->lock);
    table *larger = grown(t);
    pthread_mutex_lock(&m->lock);
    m->grows = 0;
#else
    table *larger = grown(t);
#endif
#ifdef OLD
    larger->older = NULL;
    m->now = larger;
    free(t);
#else
    m->now = larger;
#endif
}

/* 1: the key is new. */
int put(map *m, int key, int value)
{
    pthread_mutex_lock(&m->lock);
    if (!m->grows && 2 * (m->used + 1) > ((table *)m->now)->size)
        grow(m);
    int is_new = insert(m->now, key, value);
    m->used += (unsigned)is_new;
    pthread_mutex_unlock(&m->lock);
    return is_new;
}

/* -1: the key is not there. */
int get(map *m, int key)
{
    table *t = m->now;
    int there;
    for (unsigned at = (unsigned)key % t->size; (there = t->entries[at].key) != 0; at = (at + 1) % t->size)
        if (there == key)
            return t->entries[at].value;
    return -1;
}

void map_free(map *m)
{
    for (table *t = m->now, *older; t; t = older) {
        older = t->older;
        free(t);
    }
    pthread_mutex_destroy(&m->lock);
    free(m);
}
