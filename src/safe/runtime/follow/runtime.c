/* Keeping the two rules of wire/plan_format.h.
 *
 * An event of the prefix is let happen when its waits have happened: their threads publish the count of their
 * last event that is over. An event beyond the prefix is let happen when the whole prefix has; its thread is
 * then free for good. Or earlier, if its object is none that an event of the prefix that is still to come
 * operates on; then the thread's next operations are looked at in the same way.
 *
 * A smaller prefix is noticed wherever a thread waits, and where it comes to an event. Threads may disagree
 * for a while about how long it is. That is harmless: an event e that one thread still takes for a part of
 * the prefix comes after all that happens before it in T. An event g of the shorter prefix that has not
 * happened yet is then none of those, so the two are concurrent in T, and e could have waited for g as well:
 * the same trace.
 *
 * A constraint set (MZ_PLAN_EDGES_ONLY) is the first rule alone; a prefix may be exchanged for one while the
 * program runs (runtime_change.c). Its events happen as in any program, not as
 * in T, which is one of many: what they are is compared where it is the same in all, they may have to wait
 * for their object, and they look at the clock. That they come at all is a part of what was verified
 * (safe/plan/constrained.c).
 *
 * Progress. Of those events of the prefix that have not happened, take the first in T. All that happens
 * before it has happened, and it is enabled in T after exactly that, so in T's thread local work leads to it
 * and, when it is come to, it need not wait: neither here, nor for its object. Nothing else than a wait in
 * here holds up the local work on the way; where the program itself waits (pthread_join, a barrier, a
 * condition variable), it waits in T for events that are earlier in T. What has happened is published at the
 * end of the operation, and before the thread waits for anything. A plain access happens only after its hook,
 * so it is published at the next one, or before a wait, or at the end: T is finite, and one of these follows
 * in it. */
#include "safe/runtime/follow/runtime_deployed.h"
#include "safe/runtime/follow/runtime_plan.h"
#include "safe/runtime/follow/runtime_serial.h"

#include <errno.h>
#include <pthread.h>

/* ---- publishing and waiting -----------------------------------------------------------------------------
 */

void (*mz__tell_held)(uint32_t by, uint32_t count);
void (*mz__tell_let_go)(void), (*mz__tell_published)(void);

/* Who waits for an event with this count. All waits are for events of the plan, and each of these is
 * published, so it wakes whom it lets go on, and few others: to be woken only to sleep again costs as much as
 * waiting. */
static uint32_t waiters_for(uint32_t count)
{
    return 1u << (count & 31);
}

/* No wake-up is lost: the store, the loads and the sleeper's increment are sequentially consistent. Either
 * the sleeper's increment comes before our load of it, and we wake; or our store comes before its second look
 * at `done`, and it does not sleep. If it is between the two, the kernel compares the word before it lets it
 * sleep. Only events of the plan pay for this. */
static void publish(void)
{
    mz__participant *own = &mz__participants[mz__self.number];
    uint32_t count = mz__self.begun;
    mz__self.begun = 0;
    if (mz__iterates && atomic_load(&own->done) == MZ_PLAN_ITERATION_END)
        return; /* it is over for others already: runtime_boundary.c */
    atomic_store(&own->done, count);
    if (mz__iterates)
        mz__tell_published();
    if (atomic_load(&own->sleepers) > 0)
        mz__wake_waiters(&own->done, waiters_for(count));
}

void mz__end_iteration(enum mz_record_place where)
{
    mz__settle();
    if (mz__records)
        mz__record(MZ_RECORD_ITERATION, mz__self.number, where, 0, MZ_PLAN_NO_PLACE);
    mz__self.begun = MZ_PLAN_ITERATION_END;
    publish();
}

void mz__forget_iteration(uint32_t thread)
{
    atomic_store(&mz__participants[thread].done, 0);
}

static uint32_t done_by(uint32_t number)
{
    return atomic_load_explicit(&mz__participants[number].done, memory_order_acquire);
}

/* A wait for events that have not happened. */
typedef struct patience {
    mz__hope hope;
    bool begun, sleeps;
    uint32_t idle; /* naps during which no thread ran */
} patience;

/* One look at an event that has not happened; after some it is worth to sleep until it might have. Not for
 * long at a time: nobody wakes us if the prefix becomes shorter. If for two seconds every thread sleeps or
 * joins, the event will not come at all: perhaps its thread was never created. */
static void wait_a_little(uint32_t number, uint32_t count, patience *p)
{
    enum { MILLISECONDS = 10, MOST_IDLE = 2000 / MILLISECONDS };
    if (!p->begun) {
        p->begun = true;
        mz__record_wait(number, count);
        mz__show_wait(mz__self.number);
    }
    if (mz__hopes(&p->hope))
        return;
    if (!p->sleeps) { /* from now on it counts as asleep */
        p->sleeps = true;
        atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    }
    mz__participant *other = &mz__participants[number];
    atomic_fetch_add(&other->sleepers, 1);
    uint32_t done = atomic_load(&other->done);
    if (done < count && mz__nap_while(&other->done, done, waiters_for(count), MILLISECONDS) == ETIMEDOUT &&
        atomic_load(&mz__running_threads) == 0)
        p->idle++;
    else
        p->idle = 0;
    atomic_fetch_sub(&other->sleepers, 1);
    if (p->idle > MOST_IDLE)
        mz__tell_missing_event(number, count);
}

static void end_waiting(const patience *p)
{
    mz__has_hoped(&p->hope);
    if (p->sleeps)
        atomic_fetch_add_explicit(&mz__running_threads, 1, memory_order_relaxed);
}

/* Until it has happened. False: the prefix has become so short that `rank` is not in it, or the plan is
 * another one. */
static bool wait_for(const mz_plan_wait *wait, uint32_t rank)
{
    patience p = {0};
    bool inside = true, holds = mz__iterates && done_by(wait->thread) < wait->count;
    if (holds)
        mz__tell_held(wait->thread, wait->count);
    while (inside && done_by(wait->thread) < wait->count) {
        inside = rank < mz__prefix() && !mz__is_changed();
        if (inside)
            wait_a_little(wait->thread, wait->count, &p);
    }
    if (holds)
        mz__tell_let_go();
    end_waiting(&p);
    return inside;
}

/* Of the threads that have events of the prefix to do the one whose last is the very last; NULL: none has. */
static const mz_plan_entry *last_to_come(uint32_t *thread)
{
    uint32_t d = mz__prefix();
    const mz_plan_entry *found = NULL;
    for (uint32_t u = 0; u < mz__plan()->thread_count; u++) {
        const mz_plan_entry *last = mz__last_below(mz__plan(), mz__thread_of(u), d);
        if (last && done_by(u) < last->count && (!found || last->rank > found->rank)) {
            found = last;
            *thread = u;
        }
    }
    return found;
}

/* When what comes last has happened, there is often nothing left to wait for, which there would be in any
 * other order. False: the plan is another one. */
static bool wait_for_prefix(void)
{
    const mz_plan_entry *last;
    uint32_t thread;
    bool changed = false;
    while (!changed && (last = last_to_come(&thread))) {
        patience p = {0};
        while (done_by(thread) < last->count && last->rank < mz__prefix() && !(changed = mz__is_changed()))
            wait_a_little(thread, last->count, &p);
        end_waiting(&p);
    }
    return !changed;
}

static bool prefix_is_complete(void)
{
    uint32_t ignored;
    return !last_to_come(&ignored);
}

/* ---- what was expected ----------------------------------------------------------------------------------
 */

/* What it is about may depend on inputs that are not read yet, or not by all. */
static bool is_as_planned(const mz_plan_entry *entry, uint32_t kinds, uint64_t place)
{
    return (entry->kind == MZ_PLAN_ANY_KIND || (kinds >> entry->kind & 1)) &&
           (entry->place == MZ_PLAN_NO_PLACE || entry->place == place || !mz__is_decided());
}

static bool is_enforcing(void)
{
    return mz__keeps_to_set() || (mz__plan() && !mz__self.left && !prefix_is_complete());
}

/* A thread with events in the prefix that this one, which creates it in T, has not created. */
static uint32_t missing_thread(void)
{
    for (uint32_t u = 1; u < mz__plan()->thread_count; u++) {
        const mz_plan_thread *thread = mz__thread_of(u);
        if (thread->parent == mz__self.number && thread->child >= mz__self.children &&
            mz__last_below(mz__plan(), thread, mz__prefix()))
            return u;
    }
    return MZ__UNKNOWN;
}

/* From the operation with this count on, which is to come, the thread keeps to the plan that there is now. */
static void keep_to_latest(uint64_t from)
{
    mz__self.overtakes = false;
    mz__look_again(from - 1);
    mz__set_next();
}

/* Is something else than was expected a divergence? Not if there is a constraint set, whatever it is. Between
 * operations. */
static bool is_bound_to_trace(void)
{
    if (mz__is_changed())
        keep_to_latest(mz__self.count + 1);
    return !mz__has_edges_only();
}

void mz__thread_ends(void)
{
    mz__settle();
    if (mz__plan() && !mz__is_decided())
        mz__look_again(mz__self.count);
    if (!mz__plan() || !is_bound_to_trace())
        return;
    if (mz__self.entry != mz__self.end && mz__self.entry->rank < mz__prefix())
        mz__tell_missing_operation();
    else if (missing_thread() != MZ__UNKNOWN)
        mz__tell_missing_thread(missing_thread());
}

/* Who ends the program ends, too: after everything that it does then. */
__attribute__((destructor(101))) static void end_program(void)
{
    mz__thread_ends();
}

static void leave_prefix_behind(uint64_t from);

void mz__refuse(const char *what)
{
    if (mz__self.overtakes) /* what comes after the prefix may be anything */
        leave_prefix_behind(mz__self.count + 1);
    else if (is_enforcing())
        mz__refuse_under_plan(what);
}

/* ---- operations -----------------------------------------------------------------------------------------
 */

static uint64_t place_of(const volatile void *object)
{
    const char *address = (const char *)object;
    bool inside = address >= __executable_start && address < _end;
    return inside ? (uint64_t)(address - __executable_start) : MZ_PLAN_NO_PLACE;
}

/* False: it is not in the prefix, or the plan is another one. */
static bool wait_for_turn(const mz_plan_entry *entry)
{
    const mz_plan_wait *wait = mz__waits_in(mz__plan(), entry);
    if (entry->rank < mz__prefix()) {
        uint32_t i = 0;
        while (i < entry->wait_count && wait_for(&wait[i], entry->rank))
            i++;
        return i == entry->wait_count;
    }
    return false;
}

/* ---- beyond the prefix ----------------------------------------------------------------------------------
 */

/* Nothing more is asked of this thread; or the plan is another one, from the operation with this count on. */
static void leave_prefix_behind(uint64_t from)
{
    mz__self.left = wait_for_prefix();
    mz__self.overtakes = false;
    if (!mz__self.left)
        keep_to_latest(from);
}

/* Of all that is still to come of the prefix: why that suffices is said in safe/plan/extract.c. While it is
 * found out that becomes less, never more. */
static bool is_independent(uint32_t kinds, const volatile void *object)
{
    uint32_t d = mz__prefix();
    uint64_t distance = (uintptr_t)object - (uintptr_t)__executable_start;
    if ((mz__plan()->flags & MZ_PLAN_COUNTS_ACCESSES) || (kinds & (MZ__KIND(WAIT) | MZ__KIND(ATOMIC))))
        return false;
    for (uint32_t u = 0; u < mz__plan()->thread_count; u++)
        if (u != mz__self.number && mz__may_be_touched(mz__plan(), mz__thread_of(u), done_by(u), d, distance))
            return false;
    return true;
}

static void go_beyond(uint32_t kinds, const volatile void *object)
{
    mz__self_record *self = &mz__self;
    self->entry = self->end;
    /* while it is not decided which plan applies, it is not known either what the prefix touches */
    self->overtakes = mz__is_decided() && !prefix_is_complete() && is_independent(kinds, object);
    if (!self->overtakes)
        leave_prefix_behind(self->count);
    else if (!mz__admit_beyond(self->count))
        keep_to_latest(self->count);
}

/* It ends here in T. If all of its events are in the prefix, this is not the program that was verified. */
static void come_to_end(uint32_t kinds, const volatile void *object, uint64_t place)
{
    uint32_t d = mz__prefix();
    bool is_extra = d > 0 && mz__is_all_below(mz__plan(), mz__thread_of(mz__self.number), d);
    if (is_extra && is_bound_to_trace())
        mz__tell_difference(NULL, kinds, place);
    if (!mz__has_edges_only())
        go_beyond(kinds, object);
}

/* ---- events of the plan ---------------------------------------------------------------------------------
 */

static bool is_at_event(void)
{
    return mz__self.entry < mz__self.end && mz__self.entry->count == mz__self.count;
}

static mz__enforcement do_event(void)
{
    mz__self_record *self = &mz__self;
    const mz_plan_entry *entry = self->entry++;
    self->begun = entry->count;
    self->picks = entry->picks;
    return mz__has_edges_only() ? MZ__NOTED : MZ__ENFORCED;
}

/* If the plan becomes another one on the way, the operation is looked at again. */
static mz__enforcement come_to_event(uint32_t kinds, const volatile void *object, uint64_t place)
{
    mz__self_record *self = &mz__self;
    while (is_at_event()) {
        const mz_plan_image *plan = self->plan;
        const mz_plan_entry *entry = self->entry;
        /* what comes after the prefix, or in an iteration, may be another one in every run */
        bool differs = entry->rank < mz__prefix() && !mz__iterates && !is_as_planned(entry, kinds, place);
        if (differs && !mz__is_changed())
            mz__tell_difference(entry, kinds, place);
        if (wait_for_turn(entry)) {
            mz__admit(self->count);
            if (!mz__is_changed())
                return do_event();
        } else if (!mz__is_changed()) {
            go_beyond(kinds, object);
        }
        if (self->plan == plan && mz__is_changed())
            keep_to_latest(self->count);
        else if (self->plan == plan) /* it has gone beyond the prefix */
            break;
    }
    return MZ__FREELY;
}

/* It need not be decided what this is, but it is not in the prefix, however that is decided. */
static bool is_at_stop(void)
{
    return mz__plan() && !mz__is_decided() && mz__self.count >= mz__next_stop();
}

/* To read an input touches nothing, and is what the decision may wait for: in another valuation its place may
 * be that of an event, at which this thread would wait for itself. Whether or not it is an event, it is over.
 */
static bool reads_input(uint32_t kinds)
{
    if (!(kinds & MZ__KIND(CHOOSE)) || !mz__plan() || mz__is_decided())
        return false;
    mz__look_again(mz__self.count - 1);
    return !mz__is_decided() && !is_at_event() && is_at_stop();
}

/* How it happens while the program is on verified ground. */
static mz__enforcement begin_under_plan(uint32_t kinds, const volatile void *object, uint64_t place)
{
    mz__self_record *self = &mz__self;
    if (mz__plan() && self->count > self->most)
        mz__tell_too_many(kinds, place);
    mz__enforcement mode = MZ__FREELY;
    if (reads_input(kinds)) {
        self->begun = (uint32_t)self->count;
        return MZ__NOTED;
    }
    if (mz__plan() && !mz__is_decided())
        mz__await_decision();
    bool beyond = !is_at_event() && (self->overtakes || is_at_stop());
    if (beyond)
        go_beyond(kinds, object);
    if (is_at_event()) /* also if there is another plan by now */
        mode = come_to_event(kinds, object, place);
    else if (!beyond && self->entry == self->end && self->ends == self->count && !self->left)
        come_to_end(kinds, object, place);
    return mode;
}

/* How it happens when it has left that, one thread at a time. */
static mz__enforcement begin_in_turn(uint32_t kinds)
{
    bool only_reads = !(kinds & ~(MZ__INSTANT | MZ__KIND(READ) | MZ__KIND(AWAIT)));
    mz__take_turn();
    mz__self.kind = only_reads ? MZ_OP_READ : MZ_OP_UPDATE;
    return MZ__NOTED;
}

mz__enforcement mz__begin_noted(uint32_t kinds, const volatile void *object)
{
    uint64_t place = place_of(object);
    mz__enforcement mode = MZ__FREELY;
    mz__settle();
    if (mz__delays)
        mz__delay();
    if (!mz__is_serial())
        mode = begin_under_plan(kinds, object, place);
    if (mz__is_serial())
        mode = begin_in_turn(kinds);
    if (mode == MZ__FREELY && (mz__records || mz__delays))
        mode = MZ__NOTED;
    mz__set_next();
    if (mz__records)
        mz__record_begin(kinds, object, place);
    return mode;
}

void mz__end_noted(void)
{
    if (mz__records)
        mz__record_end();
    if (mz__self.begun)
        publish();
    if (mz__is_serial() && mz__self.kind != MZ_OP_READ)
        mz__use_turn();
    if (mz__delays)
        mz__delay();
}

/* A store that others may race with is in memory before the thread's next access; what is published comes
 * after it in any case. */
void mz__settle(void)
{
    if (mz__self.store) {
        mz__self.store = false;
        atomic_thread_fence(memory_order_seq_cst);
    }
    if (mz__self.plain) {
        mz__self.plain = false;
        mz__end_noted();
    }
}

/* ---- threads --------------------------------------------------------------------------------------------
 */

void mz__become(uint32_t number)
{
    mz__self_record *self = &mz__self;
    self->number = number;
    self->random = number;
    mz__look_again(self->count);
    mz__set_next();
}

void mz__begin_iteration(void)
{
    mz__self.count = 0;
    mz__self.chosen = 0;
    mz__become(mz__self.number);
}

/* Numbers for threads that the plan does not know: their operations have names in recordings, and are delayed
 * if any are. */
static uint32_t new_number(void)
{
    static _Atomic uint32_t given;
    uint32_t known = mz__symbolic->thread_count, seen = mz__symbolic->seen_count;
    uint32_t number = (known > seen ? known : seen) + atomic_fetch_add(&given, 1);
    return number < MZ_PLAN_MOST_THREADS ? number : MZ__UNKNOWN;
}

static uint32_t child_in(const mz_plan_image *plan, uint32_t child)
{
    for (uint32_t u = 1; u < plan->thread_count; u++)
        if (mz__thread_in(plan, u)->parent == mz__self.number && mz__thread_in(plan, u)->child == child)
            return u;
    return MZ__UNKNOWN;
}

/* In the plan that applies, or, if it is not known yet, in one of those that might. A thread has the same
 * number in all. */
static uint32_t known_child(uint32_t child)
{
    uint32_t number = child_in(mz__plan(), child);
    for (uint32_t i = 0; i < mz__symbolic->plan_count && number == MZ__UNKNOWN && !mz__is_decided(); i++)
        number = child_in(mz__plan_number(i), child);
    return number;
}

/* It is none of T, but of other executions. */
static uint32_t seen_child(uint32_t child)
{
    const mz_seen_thread *seen = mz__in_symbolic(mz__symbolic->seen);
    for (uint32_t u = 1; u < mz__symbolic->seen_count; u++)
        if (seen[u].parent == mz__self.number && seen[u].child == child)
            return u;
    return MZ__UNKNOWN;
}

static uint32_t tell_birth(uint32_t number, uint32_t child)
{
    if (mz__records && number != MZ__UNKNOWN)
        mz__record(MZ_RECORD_THREAD, number, child, mz__self.number, MZ_PLAN_NO_PLACE);
    return number;
}

uint32_t mz__number_of_child(void)
{
    uint32_t child = mz__self.children++;
    if (mz__self.overtakes) /* it may be another one than in T, and is not looked at */
        leave_prefix_behind(mz__self.count + 1);
    if (!mz__plan())
        return MZ__UNKNOWN;
    uint32_t known = known_child(child);
    if (known != MZ__UNKNOWN)
        return tell_birth(known, child);
    if (mz__iterates || is_bound_to_trace())
        mz__refuse("it creates a thread that was not expected");
    uint32_t seen = seen_child(child);
    if (seen != MZ__UNKNOWN)
        return tell_birth(seen, child);
    if (mz__symbolic->seen_count > 0)
        mz__refuse_under_plan("it creates a thread that no verified execution has");
    return tell_birth(mz__records || mz__delays ? new_number() : MZ__UNKNOWN, child);
}
