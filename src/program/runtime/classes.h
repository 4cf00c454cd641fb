/* Classes of operations (machine/machine.h): which operations of a program commute.
 *
 *  - Readers that come to a read-write lock and leave it: a writer waits until all have left, whoever that
 * is.
 *  - Posts of a semaphore: the sum is the same.
 *  - Arrivals at a barrier, where all who ever come to it are needed: what follows has all of them as causes.
 *  - Additions to the same bytes, of which nobody looks at the result; so with and, or, exclusive or.
 *
 * What commutes must not order the program either (order/happens_before.c): what follows one of these
 * operations does not come after what was before the others. Two executions that differ only in their order
 * would otherwise be taken for one, and races of the other one lost. Who waits, or looks, comes after all. */
#ifndef MZ_PROGRAM_RUNTIME_CLASSES_H
#define MZ_PROGRAM_RUNTIME_CLASSES_H

#include "program/world/world.h"

enum { MZ__READERS = 1, MZ__POSTS, MZ__ARRIVALS, MZ__SUMS, MZ__BITS_SET, MZ__BITS_KEPT, MZ__BITS_CHANGED };

enum { MZ__CLASS_PLACES = 16, MZ__CLASS_SIZES = 32 };

static inline bool mz__has_classes(void)
{
    return mz__w.base.relation & MZ_REFINES_CLASSES;
}

/* What an access that reads and writes is of: 0 if there are no classes. */
static inline uint32_t mz__class(uint32_t number)
{
    if (!mz__has_classes())
        return 0;
    mz__w.base.refined |= MZ_REFINES_CLASSES;
    return number * MZ_CLASS;
}

/* Does nobody look at what the operation returns that the program has called? */
bool mz__result_is_unused(void);
/* The class of an operation on data, if its result is unused. Of other bytes it is another one: a carry may
 * go from one to the other. */
static inline uint32_t mz__class_of_update(uint32_t number, uintptr_t address, uint32_t size)
{
    if (number == 0 || !mz__has_classes() || !mz__result_is_unused())
        return 0;
    return mz__class((number * MZ__CLASS_SIZES + size) * MZ__CLASS_PLACES +
                     (uint32_t)(address % MZ__CLASS_PLACES));
}
/* Is an access of this kind an addition at whose result nobody looks? */
static inline bool mz__is_sum(uint32_t kind)
{
    return kind / MZ_CLASS / MZ__CLASS_PLACES / MZ__CLASS_SIZES == MZ__SUMS;
}

#endif
