/* Planted: the return for what is too much keeps the lock. The thread that has it is long gone when main wants it. */
// fails: deadlock
// names: book->guard
// says: held by thread 2 since line
// says: which has ended
// at-start
#include <pthread.h>
#include <stdlib.h>

static struct book {
    pthread_mutex_t guard;
    int total, limit;
} *book;

static int add(struct book *b, int amount)
{
    pthread_mutex_lock(&b->guard);
    if (b->total + amount > b->limit)
        return -1;
    b->total += amount;
    pthread_mutex_unlock(&b->guard);
    return 0;
}

static void *clerk(void *amount)
{
    add(book, *(int *)amount);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int five = 5, seven = 7;
    book = malloc(sizeof *book);
    pthread_mutex_init(&book->guard, NULL);
    book->total = 0;
    book->limit = 10;
    pthread_create(&first, NULL, clerk, &five);
    pthread_create(&second, NULL, clerk, &seven);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    add(book, 0);
    free(book);
}
