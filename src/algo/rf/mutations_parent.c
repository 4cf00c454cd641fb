/* Is E the parent of what a mutation results in? If so it is adopted, and from no other execution.
 *
 * The parent of T has been defined from T (algo/rf/rf.c); here T is given as the events kept of E, x, and the
 * pivot with what they read from. E is its parent if
 *  - the pivot comes after x, and x is the event of T's detour that the definition picks: the one of the
 *    highest thread among the maximal ones;
 *  - E begins with what is kept, e, and what the thread of x does then: the past of these is kept, and x
 *    is ready, or waits, where it is assumed to;
 *  - everything else in E is default: no bends, and pivots that read what they do by default.
 * Tests that are cheap come first. */
#include <string.h>

#include "algo/rf/mutations_internal.h"

static bool bends_are_kept(const mz_mutations *m, const mz__attempt *a, const uint32_t *beginning)
{
    for (uint32_t t = 0; t < mz__execution_of(m)->thread_capacity; t++)
        if (m->bends[t].index > beginning[t] && m->bends[t].stage > a->stage)
            return false;
    return true;
}

/* Is all that comes before the event in the set? */
static bool is_past_kept(const mz_mutations *m, uint32_t position, const uint32_t *set)
{
    const uint32_t *clock = mz__observed(m, position);
    uint32_t thread = mz__execution_of(m)->events[position].thread;
    for (uint32_t t = 0; t < mz__execution_of(m)->thread_capacity; t++)
        if (t != thread && clock[t] > set[t])
            return false;
    return true;
}

void mz__beginning_of(const mz_mutations *m, const mz__attempt *a, const uint32_t *set, uint32_t *beginning)
{
    memcpy(beginning, set, mz__width_of(m) * sizeof *beginning);
    beginning[a->pivot.thread] = a->pivot.index;
    if (a->x_event != MZ_NONE)
        beginning[a->x.thread] = a->x.index;
}

/* Is the pivot one that was not given, and does all of the beginning stand before it? */
static bool is_before_default(const mz_mutations *m, const uint32_t *beginning, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    bool is_before = position >= m->given;
    for (uint32_t t = 0; t < x->thread_capacity && is_before; t++)
        is_before = mz_stands_before(x->positions[t][beginning[t]], position);
    return is_before;
}

/* Is the pivot the default in the state before it, and also after the events of the beginning? */
static bool is_default_after(mz_mutations *m, uint32_t position, const uint32_t *beginning)
{
    mz__set_of_events all;
    mz_stage *stage = &m->stages[position];
    bool is_known = mz_reads_default(*stage) != MZ_UNKNOWN;
    if (!is_known || !is_before_default(m, beginning, position)) {
        mz__find_state_before(m, position, all);
        if (mz_clock_is_behind(all, beginning, mz__width_of(m))) {
            mz__join(m, all, beginning);
            return mz__is_default(m, all, position);
        }
    }
    if (mz_reads_default(*stage) == MZ_UNKNOWN)
        *stage = mz_pivot_of(mz_number_of(*stage), mz__is_default(m, all, position) ? MZ_YES : MZ_NO);
    return mz_reads_default(*stage) == MZ_YES;
}

bool mz__later_stages_are_default(mz_mutations *m, uint32_t after, const uint32_t *beginning)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t first = mz__first_left_out(m, beginning);
    for (size_t i = m->observation.reader_count; i > 0 && m->observation.readers[i - 1].position >= first;
         i--) {
        uint32_t position = m->observation.readers[i - 1].position;
        mz_stage stage = m->stages[position];
        if (mz_is_pivot(stage) && mz_number_of(stage) > after &&
            !mz__is_in(beginning, &x->events[position]) && !is_default_after(m, position, beginning))
            return false;
    }
    return true;
}

bool mz__rest_is_default(mz_mutations *m, const mz__attempt *a, const uint32_t *set,
                         const uint32_t *beginning)
{
    if (!mz__later_stages_are_default(m, a->stage, beginning))
        return false;
    if (mz__has_loose_read(m, a->e) && !mz__is_default(m, set, a->e))
        return false;
    if (a->x_event == MZ_NONE || !mz__has_loose_read(m, a->x_event))
        return true;
    mz__set_of_events after_e;
    memcpy(after_e, set, mz__width_of(m) * sizeof *after_e);
    after_e[a->pivot.thread] = a->pivot.index;
    return mz__is_default(m, after_e, a->x_event);
}

bool mz__waits_as_assumed(mz_mutations *m, const mz__attempt *a, const uint32_t *set)
{
    if (!a->x.blocking)
        return a->x_event != MZ_NONE;
    mz__set_of_events after_e;
    memcpy(after_e, set, mz__width_of(m) * sizeof *after_e);
    after_e[a->pivot.thread] = a->pivot.index;
    return mz__is_ready_after(m, after_e, &a->x) == (a->x_event != MZ_NONE);
}

/* What comes before x, if it follows the events of the set, and writes as its accesses say or only reads. */
static void past_of_x(const mz_mutations *m, const mz__attempt *a, const uint32_t *set, bool only_reads,
                      uint32_t *past)
{
    const mz_execution *x = mz__execution_of(m);
    mz__join_past(m, &a->x, past, mz__observed);
    for (uint32_t i = 0; i < a->x.access_count; i++) {
        const mz_access *access = &a->x.accesses[i];
        uint32_t kind = only_reads ? MZ_READ : access->kind;
        if (mz__reads_loosely(m, &a->x, i) && a->x.writers[i] != MZ_NONE)
            mz__join(m, past, mz__observed(m, a->x.writers[i]));
        if (mz_is_loose(&m->observation, access->location))
            continue;
        mz_location_state state = mz_location_now(x, access->location);
        if (a->x_event != MZ_NONE) { /* what conflicts with it and is kept stands before it in E, too */
            const mz_access_record *record = &x->records[x->events[a->x_event].first_access + i];
            state = (mz_location_state){record->previous_write, record->previous_read};
        }
        for (uint32_t r; (r = mz_record_before(x, &state)) != MZ_NONE;) {
            const mz_access_record *record = &x->records[r];
            if (!mz__is_in(set, &x->events[record->event]) || !((record->access.kind | kind) & MZ_WRITE))
                continue;
            mz__join(m, past, mz__observed(m, record->event));
            if (record->access.kind & MZ_WRITE)
                break; /* what conflicts with x and stands further back comes before that */
        }
    }
}

typedef struct predecessors {
    const mz_mutations *m;
    const mz__attempt *a;
    const uint32_t *past_of_x;
} predecessors;

typedef bool (*of_predecessor)(const predecessors *p, uint32_t position, uint32_t other);

/* Does the function hold for every event, behind the state, that the pivot comes right after, but for x? */
static bool for_each_predecessor(const predecessors *p, of_predecessor function, uint32_t other)
{
    const mz_execution *x = mz__execution_of(p->m);
    const mz__subject *pivot = &p->a->pivot;
    for (uint32_t i = 0; i < pivot->access_count; i++) {
        const mz_access_record *record = &x->records[x->events[p->a->e].first_access + i];
        if (mz_is_loose(&p->m->observation, record->access.location)) {
            uint32_t writer = pivot->writers[i];
            if ((record->access.kind & MZ_READ) && writer != MZ_NONE && writer != MZ_FIRST_ADDITION &&
                !function(p, writer, other))
                return false;
            continue;
        }
        if (record->previous_write != MZ_NONE &&
            !function(p, x->records[record->previous_write].event, other))
            return false;
        for (uint32_t r = record->previous_read; (record->access.kind & MZ_WRITE) && r != MZ_NONE;
             r = x->records[r].previous_read)
            if (!function(p, x->records[r].event, other))
                return false;
    }
    return true;
}

static bool does_not_hide(const predecessors *p, uint32_t position, uint32_t other)
{
    const mz_event *hidden = &mz__execution_of(p->m)->events[other];
    return position == other || mz__observed(p->m, position)[hidden->thread] < hidden->index;
}

static bool is_lower_than_x(const predecessors *p, uint32_t position, uint32_t ignored)
{
    (void)ignored;
    const mz_event *event = &mz__execution_of(p->m)->events[position];
    return mz__is_in(p->a->state, event) || mz__is_in(p->past_of_x, event) ||
           event->thread < p->a->x.thread || !for_each_predecessor(p, does_not_hide, position);
}

static bool is_last_if(const mz_mutations *m, const mz__attempt *a, const uint32_t *set, bool x_only_reads)
{
    mz__set_of_events past;
    memset(past, 0, mz__width_of(m) * sizeof *past);
    past_of_x(m, a, set, x_only_reads, past);
    return for_each_predecessor(&(predecessors){m, a, past}, is_lower_than_x, 0);
}

/* Does the pivot come after nothing behind the state but x? */
static bool comes_after_x_alone(const mz_mutations *m, const mz__attempt *a)
{
    const uint32_t *clock = mz__observed(m, a->e);
    for (uint32_t t = 0; t < mz__execution_of(m)->thread_capacity; t++)
        if (t != a->pivot.thread && clock[t] > a->state[t])
            return false;
    return a->pivot_reads == 0 || (a->pivot.access_count == 1 && a->pivot.writers[0] == MZ_FIRST_ADDITION);
}

/* Is x the event of the highest thread among the maximal ones of the detour? If it may or may not write a
 * strict location, reads of that come before it or do not, which decides if they are of higher threads. */
static bool is_last(mz_mutations *m, const mz__attempt *a, const uint32_t *set)
{
    if (comes_after_x_alone(m, a))
        return true;
    if (!is_last_if(m, a, set, false))
        return false; /* with less before x, more would have to be lower */
    if (!a->x.conditional || mz__reads_loosely(m, &a->x, 0) || is_last_if(m, a, set, true))
        return true;
    return mz__realise_subjects(m, set, NULL, 0) && mz__would_write(m, a->x.thread);
}

static bool reads_from_x(const mz_mutations *m, const mz__attempt *a)
{
    for (uint32_t i = 0; i < a->pivot.access_count; i++)
        if (mz__reads_loosely(m, &a->pivot, i) && a->pivot.writers[i] == MZ_FIRST_ADDITION)
            return true;
    return false;
}

void mz__adopt_attempt(mz_mutations *m, const mz__attempt *a, const uint32_t *set, mz_expectation of_pivot)
{
    mz_mutation mutation = {
        .order = m->realiser.order,
        .length = m->realiser.order_count,
        .unmoved = m->realiser.unmoved,
        .set = set,
        .before = a->state,
        .stage = a->stage,
        .count = 2,
        .threads = {a->x.thread, a->pivot.thread},
        .expected = {a->x.conditional && reads_from_x(m, a) ? MZ_MUST_WRITE : MZ_WHATEVER, of_pivot}};
    m->adopt(m->search, &mutation);
}

void mz__finish_attempt(mz_mutations *m, mz__attempt *a, const uint32_t *set)
{
    mz__set_of_events beginning;
    mz__beginning_of(m, a, set, beginning);
    if (!bends_are_kept(m, a, beginning))
        return;
    m->search->statistics.race_checks++;
    if ((!a->conflict_strictly && !reads_from_x(m, a)) || !is_past_kept(m, a->e, set) ||
        (a->x_event != MZ_NONE && !is_past_kept(m, a->x_event, beginning)) ||
        !mz__is_ready_after(m, set, &a->x) || !is_last(m, a, set) || !mz__waits_as_assumed(m, a, set) ||
        !mz__rest_is_default(m, a, set, beginning))
        return;
    const mz__subject *subjects[] = {&a->x, &a->pivot};
    if (mz__realise_subjects(m, set, subjects, 2)) {
        mz__adopt_attempt(m, a, set, MZ_WHATEVER);
    } else if (a->pivot.conditional && a->pivot_reads > 0) {
        mz__take_for_read(m, &a->pivot);
        if (mz__realise_subjects(m, set, subjects, 2))
            mz__adopt_attempt(m, a, set, MZ_MUST_READ);
        mz__take_for_write(m, &a->pivot);
    }
}
