/* What every step does, whether its thread was entered for it or has just stayed (stretch.c). */
#ifndef MZ_PROGRAM_WORLD_STEP_H
#define MZ_PROGRAM_WORLD_STEP_H

#include "program/program.h"
#include "program/world/control.h"
#include "program/world/progress.h"
#include "program/world/world.h"

/* What the next calls find in the unused corners of their frames is part of the local state, too (spin.c
 * compares it): it is the same each time. */
enum { MZ__BELOW = 256 };

MZ_INLINE void mz__clear_below(uintptr_t sp)
{
    for (size_t i = 0; i < MZ__BELOW; i += sizeof(mz_chunk)) /* a call of memset would take longer */
        *(mz_chunk *)((sp & ~(uintptr_t)15) - MZ__BELOW + i) = (mz_chunk){0};
}

/* --coverage. */
void mz__cover_step(const mz__thread *thread, size_t step);

/* The last step, by this thread, has begun: for the supervisor, too. */
static inline void mz__count_step(const mz__thread *t)
{
    mz_flight *flight = mz__w.flight;
    size_t step = mz__w.steps - 1;
    mz__w.total_steps++;
    if (MZ_UNLIKELY(mz__w.covering))
        mz__cover_step(t, step);
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
        .crowded = mz__is_crowded(p),
        .conditional = conditional,
        .access_count = 1,
        .accesses = into,
    };
}

/* ---- leaving and entering fibers ---------------------------------------------------------------------- */

static inline uintptr_t mz__record_end(const mz__thread *t)
{
    return (uintptr_t)&t->pending.accesses[t->pending.access_count];
}

static inline void mz__save_stack(uintptr_t sp, uintptr_t top)
{
    sp &= ~(uintptr_t)15;
    mz__save((void *)sp, top - sp);
}

/* What of its stack the running thread may access without being looked at. */
static inline void mz__note_local(const mz__thread *t)
{
    mz__local.end = mz__w.stack_is_shared[t->number] || mz__w.counts_racing_lines ? 0 : t->saved_top;
}

static inline uintptr_t mz__line_below(uintptr_t address)
{
    return address & ~(uintptr_t)(MZ__LINE - 1);
}

/* Once per step, before the thread runs in it: its record and the parts of its stacks that are in use. The
 * copy of an earlier step holds all of that which was in use then, so that of several only the oldest is
 * needed; unless its stack was so deep that a part of it was not saved then.
 *
 * Whole lines are saved: what lies below a stack pointer does not matter, and what lies above is what it
 * should be. */
MZ_INLINE void mz__save_thread_once(mz__thread *t)
{
    if (MZ_UNLIKELY(t->saved_in == mz__trail_now.serial))
        return;
    uintptr_t sp = (uintptr_t)t->sp, record = (uintptr_t)&t->sp, end = mz__record_end(t);
    if (record - sp < MZ__HOOK_STACK_BYTES) { /* in a hook */
        record = mz__line_below(sp);
        sp = t->entry_sp - sizeof(void *);
    }
    uintptr_t stack = mz__saved_from(sp), top = t->stack_top;
    bool whole = mz__saves_whole_stack(t, sp);
    if (MZ_UNLIKELY(!whole))
        top = stack + mz__window();
    char *copy = mz__save_anew((void *)record, mz__line_below(end + MZ__LINE - 1) - record, (void *)stack,
                               top - stack, t->saved_at);
    if (mz__may_be_spinning(t) && whole)
        t->visits[t->visit_count - 1].copy = (uintptr_t)copy - stack;
    t->saved_in = mz__trail_now.serial;
    t->saved_at = whole ? mz__trail_now.used : 0;
    t->saved_top = top;
    mz__clear_below(sp);
}

static inline void mz__before_entering(mz__thread *t)
{
    mz__w.current = t;
    mz__hook_stack = t->cold.hook_stack_now;
    *mz__w.errno_now = t->errno_value;
    mz__local.accesses = t->accesses;
    mz__note_local(t);
    if (MZ_UNLIKELY(mz__w.control_used))
        mz__control_set(t->cold.control);
}

/* Cold path. */
static inline void mz__note_control(mz__thread *t)
{
    mz__control now = mz__control_now();
    if (mz__control_differs(now, t->cold.control))
        mz__cold_of(t)->control = now;
}

static inline void mz__note_left(mz__thread *t)
{
    t->errno_value = *mz__w.errno_now;
    t->accesses = mz__local.accesses;
    if (MZ_UNLIKELY(mz__w.control_used))
        mz__note_control(t);
}

static inline void mz__after_leaving(mz__thread *t)
{
    mz__note_left(t);
    mz__w.current = NULL;
    if (MZ_UNLIKELY(mz__w.control_used))
        mz__control_set((mz__control){0}); /* the checker calculates, too */
}

/* Inline, like all that surrounds a switch: see fiber.h. */
static inline void mz__resume(mz__thread *t)
{
    mz__before_entering(t);
    mz__enter(&mz__scheduler_sp, t->sp);
    mz__after_leaving(t);
}

static inline void mz__clear_step(void)
{
    mz__w.private_operations = 0;
    mz__w.chose_pick = false;
    mz__w.overdue = mz__w.overdue_at_first;
    mz__w.picked = MZ__NOBODY;
    mz__trail_now.serial++;
}

/* In the largest pieces. */
MZ_INLINE void mz__copy_state(mz__state *to, const mz__state *from)
{
    enum { CHUNKS = sizeof *to / sizeof(mz_chunk) };
    for (size_t i = 0; i < CHUNKS; i++)
        ((mz_chunk *)(void *)to)[i] = ((const mz_chunk *)(const void *)from)[i];
    memcpy((mz_chunk *)(void *)to + CHUNKS, (const mz_chunk *)(const void *)from + CHUNKS,
           sizeof *to % sizeof(mz_chunk));
}

static inline void mz__count_event(mz__thread *t)
{
    t->events++;
    t->caused_by = t->joined = MZ_NO_THREADS;
}

/* The thread is about to go on: the stack pointer of its fiber. */
MZ_INLINE void *mz__set_out(mz__thread *t)
{
    mz__save_thread_once(t);
    mz__count_event(t);
    mz__before_entering(t);
    return t->sp;
}

static inline void mz__begin_mark(const mz__thread *t)
{
    mz__mark *mark = &mz__w.marks[mz__w.steps++];
    mark->trail = mz__trail_now.used;
    mz__copy_state(&mark->state, &mz__w.state);
    mz__count_step(t);
}

#endif
