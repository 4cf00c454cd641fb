// A block as long as a record and some elements of its last member, which is an array without bounds: it is no array of such records.
// fails: assertion failed: value == 7
// says: table->entries[1].key: 0 → 1
// says: table->entries[1].value = 0
// decides: value = t->entries[1].value
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct table {
    unsigned size;
    struct table *older;
    struct {
        atomic_int key, value;
    } entries[];
} table;

static void *put(void *argument)
{
    table *t = argument;
    t->entries[1].key = 1;
    t->entries[1].value = 7;
    return NULL;
}

int main(void)
{
    table *t = calloc(1, sizeof *t + 2 * sizeof t->entries[0]);
    pthread_t thread;
    pthread_create(&thread, NULL, put, t);
    if (t->entries[1].key == 1) {
        int value = t->entries[1].value;
        assert(value == 7);
    }
    pthread_join(thread, NULL);
    free(t);
    return 0;
}
