/* Sorts an array with two threads: chunks are taken from a shared counter and sorted, then merged in pairs,
 * level by level, with a barrier between the levels. The argument is the number of elements in thousands;
 * what is locked, and how often, does not depend on it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, LEVELS = 8, CHUNKS = 1 << LEVELS };

static unsigned *values, *other;
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t level_done;
static int next_task;

static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

static int take_task(int limit)
{
    pthread_mutex_lock(&lock);
    int task = next_task < limit ? next_task++ : -1;
    pthread_mutex_unlock(&lock);
    return task;
}

static size_t begin_of(int chunk, int width)
{
    return count * (size_t)chunk * (size_t)width / CHUNKS;
}

static void merge(const unsigned *from, unsigned *to, size_t begin, size_t middle, size_t end)
{
    size_t left = begin, right = middle;
    for (size_t i = begin; i < end; i++)
        to[i] = right >= end || (left < middle && from[left] <= from[right]) ? from[left++] : from[right++];
}

static void *work(void *argument)
{
    for (int chunk; (chunk = take_task(CHUNKS)) >= 0;)
        qsort(values + begin_of(chunk, 1), begin_of(chunk + 1, 1) - begin_of(chunk, 1), sizeof *values,
              compare);
    for (int width = 1; width < CHUNKS; width *= 2) {
        if (pthread_barrier_wait(&level_done) == PTHREAD_BARRIER_SERIAL_THREAD)
            next_task = 0;
        pthread_barrier_wait(&level_done);
        unsigned *from = width & 0x55 ? values : other, *to = width & 0x55 ? other : values;
        int pairs = CHUNKS / (2 * width);
        for (int pair; (pair = take_task(pairs)) >= 0;)
            merge(from, to, begin_of(2 * pair, width), begin_of(2 * pair + 1, width),
                  begin_of(2 * pair + 2, width));
    }
    return argument;
}

int main(int argc, char **argv)
{
    count = (size_t)(argc > 1 ? atoi(argv[1]) : 18000) * 1000;
    values = malloc(count * sizeof *values);
    other = malloc(count * sizeof *other);
    unsigned state = 1;
    for (size_t i = 0; i < count; i++)
        values[i] = state = state * 1664525u + 1013904223u;
    pthread_barrier_init(&level_done, NULL, THREADS);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const unsigned *sorted = LEVELS % 2 ? other : values;
    for (size_t i = 1; i < count; i++)
        if (sorted[i - 1] > sorted[i])
            return 1;
    free(values);
    free(other);
    return 0;
}
