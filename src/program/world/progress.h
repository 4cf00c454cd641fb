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
/* It has come to operations since then. */
static inline bool mz__may_be_spinning(const mz__thread *thread)
{
    return thread->visit_count > thread->visits_from;
}

#endif
