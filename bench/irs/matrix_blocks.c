/* Multiplies two matrices with two threads that take blocks of the result from a shared queue. The argument
 * is the number of rows; the blocks are as many, and the queue is used as often, whatever it is. */
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, SIDE = 60, BLOCKS = SIDE * SIDE };

typedef struct block {
    size_t top, bottom, left, right;
} block;

static double *a, *b, *c;
static size_t rows;
static block queue[BLOCKS];
static int head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fill(void)
{
    for (size_t i = 0; i < BLOCKS; i++)
        queue[i] = (block){rows * (i / SIDE) / SIDE, rows * (i / SIDE + 1) / SIDE, rows * (i % SIDE) / SIDE,
                           rows * (i % SIDE + 1) / SIDE};
}

static int take(block *taken)
{
    pthread_mutex_lock(&lock);
    int found = head < BLOCKS;
    if (found)
        *taken = queue[head++];
    pthread_mutex_unlock(&lock);
    return found;
}

static void *work(void *argument)
{
    for (block t; take(&t);)
        for (size_t i = t.top; i < t.bottom; i++)
            for (size_t k = 0; k < rows; k++)
                for (size_t j = t.left; j < t.right; j++)
                    c[i * rows + j] += a[i * rows + k] * b[k * rows + j];
    return argument;
}

/* Are the sums of its columns what they have to be? */
static int is_product(void)
{
    double sum = 0, expected = 0;
    for (size_t k = 0; k < rows; k++) {
        double above = 0, beside = 0;
        for (size_t i = 0; i < rows; i++) {
            above += a[i * rows + k];
            beside += b[k * rows + i];
            sum += c[i * rows + k];
        }
        expected += above * beside;
    }
    return sum == expected; /* whole numbers, and not too large */
}

int main(int argc, char **argv)
{
    rows = (size_t)(argc > 1 ? atoi(argv[1]) : 1440);
    a = malloc(rows * rows * sizeof *a);
    b = malloc(rows * rows * sizeof *b);
    c = calloc(rows * rows, sizeof *c);
    for (size_t i = 0; i < rows * rows; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 5);
    }
    fill();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int good = is_product();
    free(a);
    free(b);
    free(c);
    return !good;
}
