/* What every step does, whether its thread was entered for it or has just stayed (stretch.c). */
#ifndef MZ_PROGRAM_RUNTIME_STEP_H
#define MZ_PROGRAM_RUNTIME_STEP_H

#include "program/runtime/program.h"
#include "program/runtime/schedule.h"
#include "program/pthread/sync.h"

/* What the next calls find in the unused corners of their frames is part of the local state, too (spin.c
 * compares it): it is the same each time. */
enum { MZ__BELOW = 256 };

MZ_INLINE void mz__clear_below(uintptr_t sp)
{
    for (size_t i = 0; i < MZ__BELOW; i += sizeof(mz_chunk)) /* a call of memset would take longer */
        *(mz_chunk *)((sp & ~(uintptr_t)15) - MZ__BELOW + i) = (mz_chunk){0};
}

/* The last step, by this thread, has begun: for the supervisor, too. */
static inline void mz__count_step(const mz__thread *t)
{
    mz_flight *flight = mz__w.flight;
    size_t step = mz__w.steps - 1;
    mz__w.total_steps++;
    if (!flight || step >= MZ_FLIGHT_STEPS)
        return;
    flight->threads[step] = (uint16_t)t->number;
    flight->first_choice[step] = flight->choice_count;
    flight->steps = (uint32_t)step + 1;
    flight->pulse++;
}

/* What most operations are: one access, which at most depends on the value that is there, and nothing else
 * that is seldom. */
static inline bool mz__is_one_access(const mz__thread *t)
{
    const mz__pending *p = &t->pending;
    return p->access_count == 1 && p->kind != MZ_OP_ATOMIC && !mz_threads_any(t->caused_by | t->joined) &&
           (p->condition == MZ__FREE || p->condition == MZ__EQUAL);
}

/* What is pending now is what will have happened. */
static inline void mz__note_one_access(const mz__thread *t, mz_operation *executed, mz_access *into)
{
    const mz__pending *p = &t->pending;
    bool conditional = p->condition != MZ__FREE, fails = conditional && !mz__is_as_expected(p);
    mz__w.executed = executed;
    mz__w.executed_into = into;
    *into = (mz_access){p->accesses[0].location, fails ? MZ_READ : p->accesses[0].kind};
    *executed = (mz_operation){
        .kind = fails ? MZ_OP_READ : p->kind,
        .blocking = p->guard != MZ__FREE,
        .conditional = conditional,
        .access_count = 1,
        .accesses = into,
    };
}

#endif
