/* A hash map with a lock per stripe under load: two threads insert, count and look up words of a stream of
 * numbers, stripe by stripe, a batch of operations for each time they hold a lock. The argument is the number
 * of operations in a batch; what is locked, and how often, does not depend on it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, STRIPES = 16, ROUNDS = 16, SLOTS = 1 << 14 };

typedef struct stripe {
    _Alignas(64) pthread_mutex_t lock;
    unsigned keys[SLOTS], counts[SLOTS];
    unsigned used;
} stripe;

static stripe stripes[STRIPES];
static int batch;

static void add(stripe *s, unsigned key)
{
    unsigned slot = key * 2654435761u >> 18;
    while (s->keys[slot] != 0 && s->keys[slot] != key)
        slot = (slot + 1) % SLOTS;
    if (s->keys[slot] == 0 && s->used < SLOTS / 2) {
        s->keys[slot] = key;
        s->used++;
    }
    s->counts[slot] += s->keys[slot] == key;
}

static void *work(void *argument)
{
    unsigned state = (unsigned)(size_t)argument, offset = state * STRIPES / THREADS;
    for (int round = 0; round < ROUNDS * STRIPES; round++) {
        stripe *s = &stripes[((unsigned)round + offset) % STRIPES];
        pthread_mutex_lock(&s->lock);
        for (int i = 0; i < batch; i++) {
            state = state * 1664525u + 1013904223u;
            add(s, (state >> 12) % 6000 + 1);
        }
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    batch = argc > 1 ? atoi(argv[1]) : 2000000;
    pthread_t threads[THREADS];
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&stripes[i].lock, NULL);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    unsigned long long sum = 0;
    for (int i = 0; i < STRIPES; i++)
        for (int k = 0; k < SLOTS; k++)
            sum += stripes[i].counts[k];
    return sum != (unsigned long long)batch * THREADS * ROUNDS * STRIPES;
}
