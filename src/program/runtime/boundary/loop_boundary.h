/* Loop boundaries of a real program (loop_boundary.c): how threads wait there, and what a state is. */
#ifndef MZ_PROGRAM_RUNTIME_BOUNDARY_LOOP_BOUNDARY_H
#define MZ_PROGRAM_RUNTIME_BOUNDARY_LOOP_BOUNDARY_H

#include "program/world/world.h"

/* Nobody can go on, and some threads are at a boundary: one of them may open it. */
void mz__offer_boundary(void);
/* The running thread, in a hook of that name, waits at a boundary, and passes it. */
void mz__pass_boundary(const char *verb);
/* It fails if it may not do so now. */
void mz__check_boundary_caller(const char *verb);
bool mz__boundary_state(mz_machine *machine, bool keep, mz_hash *state, mz_text *problem);
void mz__describe_growth(mz_machine *machine, mz_text *out);

/* It waits for a condition variable, without a time limit, and nobody has signalled it. */
bool mz__sleeps(const mz__thread *t);

/* What the program wants to be left out: "served, queue.longest". */
void mz__describe_ignored(mz_text *out);

/* The running thread is in a hook that may wait, the first that it called since the program called it: its
 * registers are kept, because others will call hooks while it waits. */
void mz__keep_caller(void);
static inline void mz__note_caller(void)
{
    if (mz__w.base.has_boundaries)
        mz__keep_caller();
}
/* The same where it is about to announce what it may wait for, and does nothing before. */
static inline void mz__may_wait(mz__pending *pending)
{
    if (mz__w.base.has_boundaries) {
        mz__keep_caller();
        pending->resumable = true;
    }
}

#endif
