/* Taking and giving mutexes: for locking, and for those who wait for a condition variable. */
#ifndef MZ_PROGRAM_PTHREAD_MUTEXES_H
#define MZ_PROGRAM_PTHREAD_MUTEXES_H

#include "base/hash.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/order/held.h"
#include "program/runtime/objects.h"
#include "program/world/object_states.h"
#include "program/world/progress.h"
#include "program/world/world.h"

/* Asked when the operation happens, not when it is about to: whoever destroys the mutex must have come first,
 * and the other order is to be explored, too. */
static inline void mz__check_mutex(const mz__mutex *mutex)
{
    mz__check_object(&mutex->state, "mutex");
}

/* Its owner and count are about to change. */
static inline void mz__save_holding(mz__mutex *mutex)
{
    enum { BYTES = 16 };
    _Static_assert(offsetof(mz__mutex, count) < BYTES && offsetof(mz__mutex, owner) < BYTES,
                   "the first ones");
    mz__save(mutex, BYTES); /* once in a step, most often: no need to remember the line */
}

/* Whether it is held is seen by others, who do not wait for it. (What only one thread has touched so far,
 * nobody else sees.) */
static inline bool mz__is_seen_held(uint32_t cell)
{
    return mz__w.cells[cell].watched && mz__w.cells[cell].owner == MZ__SHARED;
}

/* Taking and giving it again leaves nothing behind: that is no progress (spin.c), but the thread's state
 * meanwhile is another one. */
static inline void mz__take_unnoted(mz__mutex *mutex, uint32_t cell, bool waited)
{
    mz__save_holding(mutex);
    mutex->owner = mz__holder();
    mutex->count = 1;
    mz__w.current->held += mz_mix64((uintptr_t)mutex);
    mz__now_holds(mutex, false, waited);
    if (mz__is_seen_held(cell))
        mz__made_progress();
    mz__acquire(cell);
}

static inline void mz__take_mutex(mz__mutex *mutex, uint32_t cell, bool waited)
{
    mz__note_read((uintptr_t)&mutex->owner, sizeof mutex->owner);
    mz__take_unnoted(mutex, cell, waited);
}

static inline void mz__stop_holding(const mz__mutex *mutex)
{
    mz__w.current->held -= mz_mix64((uintptr_t)mutex);
    mz__no_longer_holds(mutex);
}

static inline void mz__give_mutex(mz__mutex *mutex, uint32_t cell)
{
    mz__save_holding(mutex);
    mutex->owner = 0;
    mutex->count = 0;
    mz__stop_holding(mutex);
    if (mz__is_seen_held(cell))
        mz__made_progress();
    mz__release(cell, false);
}

/* A thread that does not hold the mutex asks for something that only its holder may. */
void mz__look_at_unheld(const mz__mutex *mutex, uint32_t cell, const char *verb);
void mz__check_still_held(const mz__mutex *mutex);

#endif
