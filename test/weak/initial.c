/* Memory that is set up by plain writes of any size while other threads run, is used by atomic operations then, and set up again. */
// expect: safe
// args: -DPUBLISH=rlx
// expect: unsafe data-race
// args: -DAGAIN
// expect: safe
// args: -DTOO_LATE
// expect: unsafe data-race
// args: -DWHOLE
// expect: safe
#include "weak.h"
#include <stdint.h>
#include <string.h>
#ifndef PUBLISH
#define PUBLISH rel
#endif
typedef struct counts {
    _Alignas(8) atomic_int uses;
    atomic_int watches;
} counts;
static _Atomic(counts *) shared;
static atomic_int busy;

static void set_up(counts *c)
{
#ifdef WHOLE
    uint64_t both = UINT64_C(0x100000001);
    memcpy(c, &both, sizeof both);
#else
    *(int *)&c->uses = 1;
    *(int *)&c->watches = 1;
#endif
}

static void *makes(void *u)
{
    counts *c = malloc(sizeof *c);
    atomic_fetch_add_explicit(&busy, 1, rlx);
    set_up(c);
    atomic_store_explicit(&shared, c, PUBLISH);
    int before = atomic_fetch_add_explicit(&c->uses, 1, rlx);
    assert(before == 1 || before == 2);
#ifdef TOO_LATE
    *(int *)&c->watches = 1;
#endif
    return u;
}

static void *uses(void *u)
{
    atomic_fetch_add_explicit(&busy, 1, rlx);
    counts *c = atomic_load_explicit(&shared, acq);
    if (c) {
        assert(atomic_load_explicit(&c->watches, rlx) == 1);
        assert(atomic_fetch_add_explicit(&c->uses, 1, rlx) >= 1);
    }
    return u;
}

#ifdef AGAIN
/* What was written before all was set up again cannot be read any more. */
static void *looks(void *c)
{
    assert(atomic_load_explicit(&((counts *)c)->uses, rlx) != 2);
    atomic_fetch_add_explicit(&((counts *)c)->uses, 1, rlx);
    return 0;
}
#endif

int main(void)
{
    run_two(makes, uses);
    counts *c = atomic_load_explicit(&shared, rlx);
    assert(atomic_load_explicit(&c->watches, rlx) == 1);
    assert(atomic_load_explicit(&c->uses, rlx) <= 3);
#ifdef AGAIN
    *(int *)&c->uses = 7;
    pthread_t one, two;
    pthread_create(&one, 0, looks, c);
    pthread_create(&two, 0, looks, c);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(atomic_load_explicit(&c->uses, rlx) == 9);
#endif
}
