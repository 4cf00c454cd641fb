/* Has a thread changed anything since it was at some place? If not, it may be spinning (spin.c). */
#ifndef MZ_PROGRAM_WORLD_PROGRESS_H
#define MZ_PROGRAM_WORLD_PROGRESS_H

#include "program/world/world.h"

/* The thread has changed something: what it did before is no part of a loop without effect. */
static inline void mz__made_progress(void)
{
    mz__thread *t = mz__w.current;
    t->visits_from = t->visit_count;
    t->reads_from = t->read_count;
    t->visit_places = 0;
}
/* It looks at what nobody else touches, and what is neither noted nor part of its local state: its part of
 * the heap, its thread-local variables, a location that is its own. */
static inline void mz__looked_unnoted(void)
{
    mz__w.current->looked_unnoted = mz__w.current->visit_count;
}
/* It has come to operations since then. */
static inline bool mz__may_be_spinning(const mz__thread *thread)
{
    return thread->visit_count > thread->visits_from;
}

#endif
