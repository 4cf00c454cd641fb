/* Multiplies two matrices with two threads that take blocks of the result from a shared queue, filled by main.
 * The argument is the number of rows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, SIDE = 14, BLOCKS = SIDE * SIDE };

static double *a, *b, *c;
static size_t rows;
static int queue[BLOCKS], head, tail;
static int closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (head == tail && !closed)
        pthread_cond_wait(&filled, &lock);
    int block = head < tail ? queue[head++] : -1;
    pthread_mutex_unlock(&lock);
    return block;
}

static void put(int block)
{
    pthread_mutex_lock(&lock);
    queue[tail++] = block;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void multiply(int block)
{
    size_t top = rows * (size_t)(block / SIDE) / SIDE, bottom = rows * (size_t)(block / SIDE + 1) / SIDE;
    size_t left = rows * (size_t)(block % SIDE) / SIDE, right = rows * (size_t)(block % SIDE + 1) / SIDE;
    for (size_t i = top; i < bottom; i++)
        for (size_t k = 0; k < rows; k++)
            for (size_t j = left; j < right; j++)
                c[i * rows + j] += a[i * rows + k] * b[k * rows + j];
}

static void *work(void *argument)
{
    for (int block; (block = take()) >= 0;)
        multiply(block);
    return argument;
}

int main(int argc, char **argv)
{
    rows = (size_t)(argc > 1 ? atoi(argv[1]) : 1200);
    a = malloc(rows * rows * sizeof *a);
    b = malloc(rows * rows * sizeof *b);
    c = calloc(rows * rows, sizeof *c);
    for (size_t i = 0; i < rows * rows; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 5);
    }
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int block = 0; block < BLOCKS; block++)
        put(block);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    double sum = 0, expected = 0;
    for (size_t k = 0; k < rows; k++) {
        sum += c[k];
        for (size_t j = 0; j < rows; j++)
            expected += a[k] * b[k * rows + j];
    }
    free(a);
    free(b);
    free(c);
    return sum != expected;
}
