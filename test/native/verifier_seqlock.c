// A sequence lock: readers begin again when a writer was there, through atomic sections with a loop inside a
// loop. Without that they see half of what was written.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 35
#include <assert.h>
#include <pthread.h>

#include "verifier_sections.h"

int sequence, a1, a2;

static void *writer(void *a)
{
    set(&sequence, 1);
    set(&a1, 1);
    set(&a2, 1);
    set(&sequence, 2);
    return a;
}

static void *reader(void *a)
{
    int s, x, y;
    do {
        while ((s = get(&sequence)) & 1)
            ;
        x = get(&a1);
        y = get(&a2);
#ifdef BUG
    } while (0);
#else
    } while (get(&sequence) != s);
#endif
    assert(x == y);
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
