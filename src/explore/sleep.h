/* Sleep sets (Godefroid): a thread sleeps while everything that starts with its pending operation has
 * been explored from an earlier sibling; an operation that conflicts with it wakes it up. */
#ifndef MZ_EXPLORE_SLEEP_H
#define MZ_EXPLORE_SLEEP_H

#include "core/machine.h"

/* Those of `asleep` that stay so over the operation just executed. The machine is in the state after it:
 * by promise (1) of machine.h the answer is the same as in the state before. */
static inline mz_threads mz_sleep_after(mz_machine *machine, mz_threads asleep, const mz_operation *executed,
                                        uint64_t *dependency_checks)
{
    mz_threads stay = 0;
    MZ_FOR_EACH_THREAD(t, asleep)
    {
        mz_operation pending;
        machine->class->pending(machine, t, &pending);
        ++*dependency_checks;
        if (!mz_operations_conflict(&pending, executed))
            stay |= mz_threads_of(t);
    }
    return stay;
}

#endif
