// Loops that choose until a choice will do. A round that comes back to where it began, and has written nothing, is
// not followed: whatever follows it follows the first choice as well. What a round has written is never dropped.
// args: -DKIND=1
// expect: safe traces=2 full=yes
// args: -DKIND=2
// expect: unsafe assertion 36
// args: -DKIND=3
// expect: unsafe assertion 48
// args: -DKIND=4
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "mazurka.h"

static atomic_int x;

/* Other than 0: 1 or 2. No event lies between the choices. */
static void *chooses(void *a)
{
    int r;
    do
        r = mz_choose(0, 2);
    while (r == 0);
    assert(r == 1 || r == 2);
    return a;
}

/* One of the rounds must see the write of the other thread. */
static void *looks(void *a)
{
    while (mz_choose(0, 1) == 0)
        if (atomic_load(&x) == 1) {
#if KIND == 2
            assert(0);
#endif
        }
    return a;
}

/* Every round changes something: three of them are possible. */
static void *counts(void *a)
{
    static int rounds;
    while (rounds < 3 && mz_choose(0, 1) == 0)
        rounds++;
    assert(rounds != 3);
    return a;
}

static void *writes(void *a)
{
    atomic_store(&x, 1);
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, KIND == 1 ? chooses : KIND == 3 ? counts : looks, 0);
    pthread_create(&u, 0, writes, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
