/* Planted: the reference is counted with a load and a store, not with one operation. */
// fails: assertion failed
// names: object->references
// decides: atomic_load(&object->references)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

static void object_get(struct object *object)
{
    int now = atomic_load(&object->references); /* planted */
    atomic_store(&object->references, now + 1);
}

static void *user(void *object)
{
    object_get(object);
    return NULL;
}

int main(void)
{
    struct object *object = malloc(sizeof *object);
    pthread_t threads[2];
    object->references = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, object);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(object->references == 3);
    free(object);
}
