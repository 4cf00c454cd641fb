/* Records of one kind that come and go in great numbers: those that are not needed any more are used again,
 * with the arrays that they own, and all are released at the end. A record begins with an mz_recycled. */
#ifndef MZ_BASE_RECYCLING_H
#define MZ_BASE_RECYCLING_H

#include "base/memory.h"
#include "base/vector.h"

typedef struct mz_recycled {
    struct mz_recycled *next_unused, *allocated_before;
} mz_recycled;

typedef struct mz_recycling {
    mz_recycled *unused, *last_allocated;
} mz_recycling;

/* A new one is zeroed, another one as it was left. */
MZ_INLINE void *mz_recycling_take(mz_recycling *r, size_t size)
{
    mz_recycled *record = r->unused;
    if (record) {
        r->unused = record->next_unused;
        return record;
    }
    record = mz_allocate_zeroed(1, size);
    record->allocated_before = r->last_allocated;
    return r->last_allocated = record;
}

MZ_INLINE void mz_recycling_give(mz_recycling *r, void *record)
{
    mz_recycled *given = record;
    given->next_unused = r->unused;
    r->unused = given;
}

/* One after the other, whether in use or not, to be released; NULL when there is none left. */
static inline void *mz_recycling_take_apart(mz_recycling *r)
{
    mz_recycled *record = r->last_allocated;
    if (record)
        r->last_allocated = record->allocated_before;
    r->unused = NULL;
    return record;
}

#endif
