/* Threads that have not come back for long (overdue.c). */
#ifndef MZ_PROGRAM_LOOPS_OVERDUE_H
#define MZ_PROGRAM_LOOPS_OVERDUE_H

#include "program/world/world.h"

/* ---- threads that have not come back for long (overdue.c)
 * ----------------------------------------------------
 */

/* The running one has been silent for a while. */
void mz__look_closer(void);
/* It has been silent for longer: what only it has touched is looked at, too. */
void mz__expose(void);
/* From hooks, if `overdue` is set. */
void mz__give_up_if_overdue(void);
/* From hooks, before a read: is it here again, and nothing has happened? */
bool mz__comes_back(void);
/* From hooks, before a plain read within one word: is it here again, and nothing has happened? Then it is to
 * be an event. */
bool mz__loops_over(uintptr_t address, size_t size);
/* The running one does so much that nobody else has noticed so far. */
void mz__is_busy_with(uint64_t amount);
static inline void mz__is_busy(uint64_t amount)
{
    if (MZ_UNLIKELY(mz__w.most_events > 0))
        mz__is_busy_with(amount);
}
/* The same, in what it calls often and what takes most of its time: is it overdue? */
static inline void mz__goes_about(uint64_t amount)
{
    if (MZ_UNLIKELY(mz__w.overdue))
        mz__give_up_if_overdue();
    mz__is_busy(amount);
}

#endif
