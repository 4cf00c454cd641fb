// Two threads count at cells that two inputs choose. One of them checks that its cell holds what it has written
// there: that fails if both count at the same cell and the other one comes in between. Figure 1 of the document
// on safe execution. 'mazurka show' prints the guard: only when x == y does anything have to wait.
//
//   mazurka plan aliasing.c -o aliasing.mzs && mazurka show aliasing.mzs
//   mazurka run --plan=aliasing.mzs --repeat=1000 --inputs=random aliasing.c
//   mazurka run aliasing.c -- x=1 y=1
//
// With -DFIXED a lock protects the cells.
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

enum { CELLS = 3 };

static volatile int cells[CELLS]; // every access happens, as it is written
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#else
#define LOCK()
#define UNLOCK()
#endif

static void *count_and_check(void *cell)
{
    volatile int *x = cell;
    LOCK();
    int a = *x;
    *x = a + 1;
    mz_assert(*x == a + 1);
    UNLOCK();
    return NULL;
}

static void *count(void *cell)
{
    volatile int *y = cell;
    LOCK();
    int b = *y;
    *y = b + 1;
    UNLOCK();
    return NULL;
}

int main(void)
{
    int x = mz_input_int("x", 0, CELLS - 1), y = mz_input_int("y", 0, CELLS - 1);
    pthread_t first, second;
    pthread_create(&first, NULL, count_and_check, (void *)&cells[x]);
    pthread_create(&second, NULL, count, (void *)&cells[y]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
