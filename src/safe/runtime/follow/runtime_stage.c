/* Which plan applies, if inputs decide it: as they are read, guard by guard (wire/symbolic_format.h).
 *
 * Where the decision stands is one word, which goes down the tree of guards and never back. A thread looks at
 * it when it is created, when it has read an input, and when it comes to an event that is not among those
 * that all plans have in common which were possible when it looked last. Until then what it knows is enough.
 */
#include "safe/runtime/follow/runtime_plan.h"
#include "safe/runtime/follow/runtime_serial.h"

#include <errno.h>
#include <string.h>

static _Atomic uint32_t stage; /* MZ_GUARD_PLAN | plan, or a guard */
static mz_valuation known;
static _Atomic uint32_t lock;

static void record_stage(uint32_t at)
{
    bool decided = at & MZ_GUARD_PLAN;
    if (mz__records)
        mz__record(MZ_RECORD_PLAN, 0, decided ? at & ~MZ_GUARD_PLAN : mz__stage_of(at)->plan, !decided,
                   decided ? 0 : mz__stage_of(at)->common);
}

void mz__begin_deciding(void)
{
    stage = mz__symbolic->guard_count == 0 ? MZ_GUARD_PLAN : 0;
    record_stage(stage);
}

bool mz__keeps_to_set(void)
{
    uint32_t at = mz__symbolic ? atomic_load(&stage) : 0;
    return (at & MZ_GUARD_PLAN) && (mz__plan_number(at & ~MZ_GUARD_PLAN)->flags & MZ_PLAN_EDGES_ONLY);
}

void mz__apply_plan(uint32_t number)
{
    atomic_store(&stage, MZ_GUARD_PLAN | number);
}

const mz_plan_image *mz__plan_now(void)
{
    return mz__plan_number(atomic_load(&stage) & ~MZ_GUARD_PLAN);
}

/* ---- what a thread knows --------------------------------------------------------------------------------
 */

static uint32_t longest_prefix_below(uint32_t at)
{
    if (at & MZ_GUARD_PLAN)
        return __atomic_load_n(&mz__plan_number(at & ~MZ_GUARD_PLAN)->prefix, __ATOMIC_ACQUIRE);
    const mz_guard *guard = (const mz_guard *)mz__in_symbolic(mz__symbolic->guards) + at;
    uint32_t a = longest_prefix_below(guard->holds), b = longest_prefix_below(guard->fails);
    return a > b ? a : b;
}

uint32_t mz__common_prefix(void)
{
    uint32_t longest = longest_prefix_below(mz__self.stage), common = mz__stage_of(mz__self.stage)->common;
    return longest < common ? longest : common;
}

/* Nothing that is not known yet could ask for more. */
static bool needs_no_decision(void)
{
    return longest_prefix_below(mz__self.stage) <= mz__stage_of(mz__self.stage)->common;
}

/* Of the plan that a thread looks at meanwhile, which is any of those that are possible, what they have in
 * common holds, and nothing else. In particular an event that comes after its prefix says nothing of the
 * others: a thread that took it for the end of the prefix would be free for good, and not come to the stops
 * of a plan that asks for more. */
static const mz_plan_entry *end_of_common(const mz_plan_thread *thread)
{
    const mz_plan_entry *last = mz__last_below(mz__plan(), thread, mz__stage_of(mz__self.stage)->common);
    return last ? last + 1 : mz__entries_in(mz__plan(), thread);
}

static void take_entries(uint64_t done)
{
    mz__self_record *self = &mz__self;
    self->entry = self->end = NULL;
    self->ends = 0;
    if (self->left || self->number >= self->plan->thread_count || (mz__is_decided() && mz__prefix() == 0))
        return;
    const mz_plan_thread *thread = mz__thread_of(self->number);
    const mz_plan_entry *entries = mz__entries_in(self->plan, thread);
    self->end = mz__is_decided() ? entries + thread->entry_count : end_of_common(thread);
    self->entry = entries;
    if (done > 0)
        self->entry += mz__first_after(self->plan, thread, done < UINT32_MAX ? (uint32_t)done : UINT32_MAX);
    if (self->entry > self->end)
        self->entry = self->end;
    self->ends = mz__is_decided() ? thread->ends : 0;
}

static uint64_t most_operations(void)
{
    const mz_seen_thread *seen = mz__in_symbolic(mz__symbolic->seen);
    uint32_t most = mz__self.number < mz__symbolic->seen_count ? seen[mz__self.number].most : UINT32_MAX;
    return most != UINT32_MAX ? most : MZ__NEVER;
}

void mz__look_again(uint64_t done)
{
    mz__self_record *self = &mz__self;
    if (!mz__symbolic || self->number == MZ__UNKNOWN)
        return;
    self->stage = atomic_load(&stage);
    self->most = most_operations();
    self->plan =
        mz__plan_number(mz__is_decided() ? self->stage & ~MZ_GUARD_PLAN : mz__stage_of(self->stage)->plan);
    take_entries(done);
}

static uint32_t stop(void)
{
    const uint32_t *stops = mz__in_symbolic(mz__stage_of(mz__self.stage)->stops);
    return mz__self.number < mz__symbolic->thread_count ? stops[mz__self.number] : 0;
}

uint64_t mz__next_stop(void)
{
    return stop() > 0 && !mz__self.left ? stop() : MZ__NEVER;
}

/* ---- waiting --------------------------------------------------------------------------------------------
 */

static const char *input_that_is_missing(void)
{
    const mz_guard *guard = (const mz_guard *)mz__in_symbolic(mz__symbolic->guards) + mz__self.stage;
    const mz_symbolic_input *inputs = mz__in_symbolic(mz__symbolic->inputs);
    bool has_left = guard->right != MZ_GUARD_CONSTANT && (known.known >> guard->left & 1);
    return mz__in_symbolic(inputs[has_left ? guard->right : guard->left].name);
}

static bool has_to_wait(void)
{
    return !mz__is_decided() && mz__self.count >= mz__next_stop() && !needs_no_decision() &&
           !atomic_load(&mz__switched_off);
}

/* Not for long at a time: nobody wakes us if prefixes become shorter. If for two seconds every thread sleeps
 * or joins, nobody will read the input. */
void mz__await_decision(void)
{
    enum { MILLISECONDS = 10, MOST_IDLE = 2000 / MILLISECONDS };
    uint32_t idle = 0;
    mz__look_again(mz__self.count - 1);
    if (!has_to_wait())
        return;
    mz__record_wait(MZ__UNKNOWN, 0);
    atomic_fetch_sub(&mz__running_threads, 1);
    while (has_to_wait() && idle <= MOST_IDLE) {
        int slept = mz__nap_while(&stage, mz__self.stage, UINT32_MAX, MILLISECONDS);
        idle = slept == ETIMEDOUT && atomic_load(&mz__running_threads) == 0 ? idle + 1 : 0;
        mz__look_again(mz__self.count - 1);
    }
    atomic_fetch_add(&mz__running_threads, 1);
    if (has_to_wait())
        mz__tell_missing_input(input_that_is_missing());
}

/* ---- reading --------------------------------------------------------------------------------------------
 */

/* Whatever is constrained, and when nothing is: more than any verified execution has of it. */
static void limit_next(void)
{
    mz__self_record *self = &mz__self;
    if (self->plan && self->most < self->next && !atomic_load(&mz__switched_off))
        self->next = self->most + 1 > self->count ? self->most + 1 : self->next;
}

/* When the thread has to come here again. */
void mz__set_next(void)
{
    mz__self_record *self = &mz__self;
    if (mz__records || mz__delays || self->plain || self->store || self->overtakes)
        self->next = self->count + 1;
    else if (!mz__plan())
        self->next = MZ__NEVER;
    else if (self->entry < self->end && (mz__is_decided() || self->entry->count < mz__next_stop()))
        self->next = self->entry->count;
    else if (!mz__is_decided())
        self->next = mz__next_stop();
    else
        self->next = self->ends > 0 && !self->left ? self->ends : MZ__NEVER;
    limit_next();
    self->following = self->next;
    mz__mind_serial();
}

/* Guards are evaluated with what is known, whoever has read it, one after the other. */
static void decide(uint32_t input, int64_t value)
{
    mz__take(&lock);
    known.values[input] = value;
    known.known |= UINT64_C(1) << input;
    uint32_t at = stage, next = mz_guard_decide(mz__in_symbolic(mz__symbolic->guards), at, &known);
    if (next != at) {
        record_stage(next);
        atomic_store(&stage, next);
        mz__wake_waiters(&stage, UINT32_MAX);
    }
    mz__give(&lock);
}

bool mz__digit_of_input(const char *name, uint64_t number, uint64_t *digit)
{
    const mz_symbolic_input *inputs = mz__symbolic ? mz__in_symbolic(mz__symbolic->inputs) : NULL;
    for (uint32_t i = 0; mz__symbolic && i < mz__symbolic->input_count; i++) {
        *digit = mz_range_digit(inputs[i].low, inputs[i].high, &number);
        if (strcmp(mz__in_symbolic(inputs[i].name), name) == 0)
            return true;
    }
    return false;
}

void mz__input_is_read(const char *name, int64_t value)
{
    if (!mz__symbolic || mz__symbolic->guard_count == 0)
        return;
    const mz_symbolic_input *inputs = mz__in_symbolic(mz__symbolic->inputs);
    for (uint32_t i = 0; i < mz__symbolic->input_count; i++)
        if (strcmp(mz__in_symbolic(inputs[i].name), name) == 0)
            decide(i, value);
    if (mz__self.plan && !mz__is_decided()) {
        mz__look_again(mz__self.count);
        mz__set_next();
    }
}
