/* What a step is: the operation of one thread, and what goes on with it up to the next ones. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/describe/notes.h"
#include "program/describe/stuck.h"
#include "program/loops/rounds.h"
#include "program/loops/undone.h"
#include "program/machine/leaks.h"
#include "program/machine/schedule.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/order/lock_callers.h"
#include "program/order/special_words.h"
#include "program/pthread/peers.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/classes.h"
#include "program/runtime/dead_ends.h"
#include "program/runtime/guards.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/runtime/simple_sections.h"
#include "program/runtime/waits.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/step.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- steps -------------------------------------------------------------------------------------------- */

static inline void set_status(const mz__thread *t)
{
    mz_status *status = &mz__w.state.status;
    mz_threads bit = mz_threads_of(t->number);
    status->ready &= ~bit;
    status->blocked &= ~bit;
    status->spinning &= ~bit;
    mz__w.state.guarded &= ~bit;
    if (t->life == MZ__FINISHED)
        status->finished |= bit;
    else if (t->life == MZ__FAILED)
        status->failed |= bit;
    else if (t->life == MZ__PRUNED || t->life == MZ__CUT)
        status->pruned |= bit;
    else if (t->pending.guard == MZ__FREE && !mz__waits_for_peer(t))
        status->ready |= bit;
    else if (t->pending.guard == MZ__WOKEN)
        status->blocked |= bit;
    else
        mz__w.state.guarded |= bit;
}

/* It can always happen. */
static __attribute__((noinline)) bool tries_simple_section(mz__thread *t)
{
    mz__try_simple_section(t);
    return true;
}

static inline void look_at_guards(void)
{
    mz_status *status = &mz__w.state.status;
    MZ_FOR_EACH_THREAD(u, mz__w.state.guarded)
    {
        mz__thread *t = &mz__w.threads[u];
        mz_threads bit = mz_threads_of(u);
        bool holds = t->pending.guard == MZ__MUTEX_FREE ? mz__is_free((const mz__mutex *)t->pending.address)
                     : t->pending.guard == MZ__SIMPLE   ? tries_simple_section(t)
                     : mz__awaits_section(t)            ? mz__section_is_possible(t)
                                                        : mz__guard_holds(&t->pending, t);
        bool looks = t->pending.guard == MZ__NOT_IN_VAIN && mz__trial_looks(), waits = mz__waits_for_peer(t);
        if (MZ_UNLIKELY(!holds && (looks || !mz_threads_any(status->blocked & bit))))
            mz__begins_to_wait(t);
        status->ready = holds && !waits ? status->ready | bit : status->ready & ~bit;
        status->blocked = holds && !waits ? status->blocked & ~bit : status->blocked | bit;
        status->spinning = !holds && mz__is_spinning(t) ? status->spinning | bit : status->spinning & ~bit;
    }
}

/* The threads that were woken or created go on up to their next operations. */
static __attribute__((noinline)) void run_woken(void)
{
    for (uint32_t i = 0; i < mz__w.woken_count && !mz__w.gave_up; i++) {
        mz__thread *t = &mz__w.threads[mz__w.woken[i]];
        mz__run_fiber(t);
        mz__look_for_peer(t);
        set_status(t);
    }
    mz__w.woken_count = 0;
}

/* Nobody else can go on: those who were deferred do. */
static __attribute__((noinline)) void run_deferred(void)
{
    while (!mz_threads_any(mz__w.state.status.ready) && mz_threads_any(mz__w.state.deferred) &&
           !mz__w.gave_up) {
        uint32_t thread = mz_threads_first(mz__w.state.deferred);
        mz__thread *t = &mz__w.threads[thread];
        mz__w.state.deferred &= ~mz_threads_of(thread);
        mz__save_thread(t);
        t->deferred = true;
        t->deferred_at = t->pc;
        mz__wake(thread);
        run_woken();
        look_at_guards();
    }
}

/* Nobody goes on, nobody has failed on the way, and who waits is not in a deadlock. */
static bool has_ended(void)
{
    const mz_status *status = &mz__w.state.status;
    return !mz_threads_any(status->ready | status->failed | status->pruned) &&
           (status->ended || !mz_threads_any(status->blocked));
}

static __attribute__((noinline)) void end_execution(void)
{
    mz__note_end();
    if (mz__w.report_leaks && !mz__w.state.aborted)
        mz__look_for_leaks();
}

static inline mz_outcome outcome(void)
{
    if (MZ_UNLIKELY(mz__w.gave_up))
        return MZ_STEP_GIVEN_UP;
    look_at_guards();
    if (MZ_UNLIKELY(!mz_threads_any(mz__w.state.status.ready)))
        run_deferred();
    if (!mz_threads_any(mz__w.state.status.ready) && mz_threads_any(mz__w.state.status.at_boundary))
        mz__offer_boundary();
    if (MZ_UNLIKELY(mz__w.gave_up)) /* in an atomic section that was tried */
        return MZ_STEP_GIVEN_UP;
    mz__w.state.status.redundant = !mz_threads_any(mz__w.state.status.ready) &&
                                   mz_threads_any(mz__w.state.status.spinning) && mz__somebody_gets_on();
    if (MZ_UNLIKELY(mz__w.gave_up))
        return MZ_STEP_GIVEN_UP;
    if (!mz_threads_any(mz__w.state.status.ready) && has_ended())
        end_execution();
    if (MZ_UNLIKELY(mz__w.base.failure_count > 0))
        return MZ_STEP_FAILED;
    return mz__w.was_stuck ? MZ_STEP_STUCK : mz__w.was_pruned ? MZ_STEP_PRUNED : MZ_STEP_DONE;
}

static void begin(mz_choices *choices)
{
    mz__w.choices = choices;
    mz__w.base.failure_count = 0;
    mz__w.base.further_count = 0;
    mz__w.woken_count = 0;
    mz__w.gave_up = mz__w.was_pruned = mz__w.was_stuck = false;
    mz__clear_step();
}

/* A search begins: it is not to depend on the one before. */
static void forget_notes(void)
{
    mz__w.forgets = false;
    mz__w.total_steps = 0;
    mz__forget_who_has_touched();
    mz__forget_known_steps();
}

mz_outcome mz__reset(mz_choices *choices)
{
    __tsan_exact =
        mz__w.tolerates_races || mz__w.plain_events || mz__w.volatile_is_atomic || mz__w.base.by_observation;
    mz__clears_hook_stack = mz__w.base.is_fingerprinted;
    mz__trail_rewind(0);
    if (MZ_UNLIKELY(mz__w.takes_too_much))
        mz__heap_release();
    mz__w.steps = 0;
    mz__w.has_new_foreign_words = false;
    mz__restore_image();
    if (MZ_UNLIKELY(mz__w.forgets))
        forget_notes();
    mz__w.state = (mz__state){.chain_used = 1};
    mz_text_clear(&mz__w.output);
    mz__mark_special_words();
    mz__begin_watch();
    mz__begin_lock_callers();
    begin(choices);
    if (mz__w.flight)
        mz__w.flight->steps = mz__w.flight->choice_count = mz__w.flight->initial_choices = 0;
    mz__create_main();
    run_woken();
    mz_outcome result = outcome();
    return result;
}

/* What is pending now is what will have happened. Its accesses are copied, because the thread goes on to its
 * next operation; an atomic section reports them itself. */
static inline void note_executed(mz__thread *t, mz_operation *executed)
{
    mz__w.executed = executed;
    mz__w.executed_into = mz__w.executed_accesses;
    mz__operation_of(t, executed);
    if (mz_threads_any(t->joined))
        mz__look_at_joins(t);
    if (!MZ_UNLIKELY(executed->dynamic)) {
        mz__w.executed_accesses[0] = executed->accesses[0];
        if (MZ_UNLIKELY(executed->access_count > 1))
            memcpy(mz__w.executed_accesses, executed->accesses,
                   executed->access_count * sizeof *executed->accesses);
        executed->accesses = mz__w.executed_accesses;
    }
    if (MZ_UNLIKELY(executed->cause_count > 0)) {
        memcpy(mz__w.executed_causes, t->causes, executed->cause_count * sizeof *t->causes);
        executed->causes = mz__w.executed_causes;
    }
}

static void go_back_to(const mz__mark *mark)
{
    mz__trail_rewind(mark->trail);
    mz__w.state = mark->state;
}

/* To those who have changed what the operation accesses. */
static __attribute__((noinline)) void show_changes(const mz__thread *t, const mz_operation *executed)
{
    for (uint32_t i = 0; i < executed->access_count; i++)
        if (!mz__is_sum(executed->accesses[i].kind))
            mz__show_change(t, executed->accesses[i].location);
}

/* An atomic section fails as a whole or not at all (promise 3 of machine.h): what it has written up to the
 * failure is taken back. */
static __attribute__((noinline)) void run_section(mz__thread *t)
{
    mz__section_footprint_begin(t);
    mz__w.section_runs = true;
    mz__resume(t);
    mz__w.section_runs = false;
    bool inside = t->life != MZ__ALIVE && t->section > 0;
    if (inside) {
        mz__life life = t->life;
        go_back_to(&mz__w.marks[mz__w.steps - 1]);
        mz__save_thread(t);
        mz__count_event(t);
        t->life = life;
        mz__w.woken_count = 0;
    }
    uint32_t count;
    const mz_access *accesses =
        mz__section_footprint(inside, &count); /* to be used again by the sections that wait */
    mz__w.executed_section = mz_grow(mz__w.executed_section, &mz__w.executed_section_capacity, count,
                                     sizeof *mz__w.executed_section);
    if (count > 0)
        memcpy(mz__w.executed_section, accesses, count * sizeof *accesses);
    mz__w.executed->accesses = mz__w.executed_section;
    mz__w.executed->access_count = count;
    if (MZ_UNLIKELY(mz__w.tracks_changes))
        show_changes(t, mz__w.executed);
}

static __attribute__((noinline)) void make_room_for_mark(void)
{
    mz__w.marks = mz_grow(mz__w.marks, &mz__w.mark_capacity, mz__w.steps + 1, sizeof *mz__w.marks);
}

static inline void forbid_stretch(void)
{
    mz__w.base.together = mz__w.base.most_further = mz__w.base.goes_on = 0;
}

/* A step, up to where its thread goes on: the stack pointer of its fiber, NULL if it has run already. */
MZ_INLINE void *begin_step(mz__thread *t, mz_choices *choices, mz_operation *executed, bool usual)
{
    mz__w.stepping = t;
    mz__begin_mark(t);
    begin(choices);
    if (usual)
        mz__note_one_access(t, executed, mz__w.executed_accesses);
    else
        note_executed(t, executed);
    if (MZ_UNLIKELY(mz__w.tracks_changes) && t->pending.kind != MZ_OP_ATOMIC)
        show_changes(t, executed);
    if (!usual && mz__w.gave_up)
        return NULL;
    if (!usual && t->pending.kind == MZ_OP_ATOMIC) {
        forbid_stretch();
        mz__save_thread(t);
        mz__count_event(t);
        run_section(t);
        return NULL;
    }
    return mz__set_out(t);
}

MZ_VECTOR __attribute__((noinline)) static void *begin_unusual_step(mz__thread *t, mz_choices *choices,
                                                                    mz_operation *executed)
{
    if (mz__w.steps == mz__w.mark_capacity)
        make_room_for_mark();
    return begin_step(t, choices, executed, false);
}

/* Calls nothing, unless that is the last thing it does: then no registers need to be saved at every step. */
__attribute__((used, visibility("hidden"))) void *mz__begin_step(mz_machine *machine, uint32_t thread,
                                                                 mz_choices *choices, mz_operation *executed);
MZ_VECTOR void *mz__begin_step(mz_machine *machine, uint32_t thread, mz_choices *choices,
                               mz_operation *executed)
{
    (void)machine;
    mz__thread *t = &mz__w.threads[thread];
    if (mz__w.steps == mz__w.mark_capacity || !mz__is_one_access(t))
        return begin_unusual_step(t, choices, executed);
    return begin_step(t, choices, executed, true);
}

static __attribute__((noinline)) mz_outcome end_unusual_step(mz__thread *t)
{
    if (mz__w.steps >= mz__w.most_steps && t->life == MZ__ALIVE)
        mz__is_too_long(t);
    set_status(t);
    if (mz__w.woken_count > 0)
        run_woken();
    if (mz__trail_now.used > MZ__MOST_TRAIL)
        mz__give_up(0, "taking back the steps of an execution needs more than %d GiB",
                    (int)(MZ__MOST_TRAIL >> 30));
    return outcome();
}

/* Most often the thread has come to its next operation, which may happen at once, or to its end; nobody else
 * is touched by that, nobody waits for anything, and somebody can go on. Then nothing is called. */
__attribute__((used, visibility("hidden"))) mz_outcome mz__end_step(void);
mz_outcome mz__end_step(void)
{
    mz__thread *t = mz__w.stepping;
    mz_status *status = &mz__w.state.status;
    mz_threads bit = mz_threads_of(t->number), ready = status->ready;
    forbid_stretch();
    mz__after_leaving(t);
    bool ended = t->life == MZ__FINISHED;
    bool stays =
        ended || (t->life == MZ__ALIVE && t->pending.guard == MZ__FREE && mz__w.steps < mz__w.most_steps);
    if (ended)
        ready &= ~bit;
    if (!stays || !mz_threads_any(ready) || mz_threads_any(mz__w.state.guarded & ~bit) ||
        mz__w.woken_count > 0 || mz__w.gave_up || mz__w.was_pruned || mz__w.base.failure_count > 0 ||
        mz__trail_now.used > MZ__MOST_TRAIL)
        return end_unusual_step(t);
    status->ready = ready;
    mz__w.state.guarded = MZ_NO_THREADS;
    if (ended)
        status->finished |= bit;
    return MZ_STEP_DONE;
}

#if defined(__x86_64__)
MZ__THROUGH_FIBER(mz__step, mz__begin_step, mz__end_step)
#else
mz_outcome mz__step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    void *fiber = mz__begin_step(machine, thread, choices, executed);
    if (fiber)
        mz__enter(&mz__scheduler_sp, fiber);
    return mz__end_step();
}
#endif

static void go_back_to_step(size_t steps)
{
    go_back_to(&mz__w.marks[steps]);
    mz__w.steps = steps;
    if (mz__w.flight && steps < mz__w.flight->steps) {
        mz__w.flight->choice_count = mz__w.flight->first_choice[steps];
        mz__w.flight->steps = (uint32_t)steps;
    }
    MZ_FOR_EACH_THREAD(u, mz__w.has_sections ? mz__w.state.guarded : MZ_NO_THREADS)
    { /* what a section would touch is not on the trail: it is found again */
        if (mz__awaits_section(&mz__w.threads[u]))
            mz__section_is_possible(&mz__w.threads[u]);
    }
}

void mz__rewind(size_t steps)
{
    if (steps >= mz__w.steps)
        return;
    size_t first = steps;
    while (mz__w.marks[first].trail & MZ__IN_STRETCH)
        first--;
    uint32_t thread = (uint32_t)mz__w.marks[steps].trail;
    go_back_to_step(first);
    for (; first < steps; first++) { /* seldom: forward again, in single steps */
        mz_operation ignored;
        mz__step(&mz__w.base, thread, &(mz_choices){0}, &ignored);
    }
}
