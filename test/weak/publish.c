/* Publication as read-copy-update does it: a new version is made, and then shown. */
// expect: safe
// args: -DSHOW=rlx
// expect: unsafe data-race
// args: -DLOOK=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef SHOW
#define SHOW rel
#endif
#ifndef LOOK
#define LOOK acq
#endif
typedef struct version {
    int a, b;
} version;
static version first = {1, 1};
static _Atomic(version *) current = &first;
static void *writer(void *u)
{
    version *old = atomic_load_explicit(&current, rlx), *made = malloc(sizeof *made);
    made->a = old->a + 1;
    made->b = old->b + 1;
    atomic_store_explicit(&current, made, SHOW);
    return u;
}
static void *reader(void *u)
{
    version *seen = atomic_load_explicit(&current, LOOK);
    assert(seen->a == seen->b);
    return u;
}
int main(void)
{
    run_two(writer, reader);
}
