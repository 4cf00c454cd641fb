/* Robust mutexes: a thread that ends holding one leaves it to the next, who is told so.
 *
 * Leaving it is an operation on the mutex, like giving it back. Which ones a thread holds stands in the
 * mutexes themselves, as a chain. */
#include <errno.h>
#include <pthread.h>

#include "base/hash.h"
#include "program/order/held.h"
#include "program/pthread/endings.h"
#include "program/pthread/mutexes.h"
#include "program/runtime/objects.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/progress.h"
#include "program/world/world.h"

/* Nobody will repair it: it is not taken after all. */
static int leave_broken(mz__mutex *mutex)
{
    mutex->owner = 0;
    mutex->count = 0;
    mz__w.current->held -= mz_mix64((uintptr_t)mutex);
    mz__no_longer_holds(mutex);
    return ENOTRECOVERABLE;
}

int mz__took_robust(mz__mutex *mutex)
{
    if (mutex->robust == MZ__NOT_RECOVERABLE)
        return leave_broken(mutex);
    mutex->next_robust = mz__w.current->cold.robust;
    mz__cold_of(mz__w.current)->robust = mutex;
    mz__made_progress();
    return mutex->robust == MZ__OWNER_DIED ? EOWNERDEAD : 0;
}

void mz__gives_robust(mz__mutex *mutex)
{
    mz__mutex **link = &mz__cold_of(mz__w.current)->robust;
    while (*link && *link != mutex)
        link = &(*link)->next_robust;
    if (*link) {
        mz__touch(link, sizeof *link);
        *link = mutex->next_robust;
    }
    mz__touch(mutex, sizeof *mutex);
    if (mutex->robust == MZ__OWNER_DIED)
        mutex->robust = MZ__NOT_RECOVERABLE;
}

void mz__abandon_mutexes(void)
{
    while (mz__w.current->cold.robust)
        mz__abandon_mutex(mz__w.current->cold.robust);
}

static int make_consistent(mz__mutex *mutex)
{
    if (mutex->robust != MZ__OWNER_DIED || mutex->owner != mz__holder())
        return EINVAL;
    mz__change_object(mutex, sizeof *mutex);
    mutex->robust = MZ__CONSISTENT;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutex_consistent, mz__mutex *mutex)
{
    return make_consistent(mutex);
}

MZ__HOOK(int, __wrap_pthread_mutex_consistent_np, mz__mutex *mutex)
{
    return make_consistent(mutex);
}

/* Its owner is about to end. */
void mz__abandon_mutex(mz__mutex *mutex)
{
    uint32_t cell = MZ__OBJECT(mutex);
    mz__watch_mutex(cell);
    mz__begin_uncounted(mz__on_object(MZ_OP_RELEASE, MZ__FREE, mutex, cell, "end of its owner"), false);
    mz__gives_robust(mutex);
    mz__give_mutex(mutex, cell);
    mutex->robust = MZ__OWNER_DIED;
}
