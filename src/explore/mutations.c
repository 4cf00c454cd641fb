/* Finding the mutations of an execution E: the notation is that of algo/rf.c. */
#include "explore/mutations.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

/* An operation that is looked at: an event of E, or one that is pending. */
typedef struct operation {
    uint32_t thread, index;
    mz_operation_kind kind;
    bool blocking, conditional;
    uint32_t access_count;
    const mz_access *accesses;
    uint32_t *writers; /* of its loose reads */
    uint32_t cause_count;
    const mz_cause *causes;
} operation;

/* What is known about the pivot of a stage. */
enum { UNKNOWN, READS_NOTHING, IS_DEFAULT, IS_NOT };

/* Each has its room for accesses and writers. */
enum { OF_X, OF_PIVOT, OF_DEFAULT, SLOTS };

typedef uint32_t set_of_events[MZ_MAX_THREADS]; /* the first so many of each thread */

static const mz_execution *execution_of(const mz_mutations *m)
{
    return m->search->execution;
}

static uint32_t width_of(const mz_mutations *m)
{
    return m->observation.width;
}

static bool is_in(const uint32_t *set, const mz_event *event)
{
    return event->index <= set[event->thread];
}

static void join(const mz_mutations *m, uint32_t *set, const uint32_t *other)
{
    mz_join_clock(set, other, width_of(m));
}

static const uint32_t *observed(const mz_mutations *m, uint32_t position)
{
    return mz_observed(&m->observation, position);
}

static bool has_higher_choice(const mz_execution *x, const mz_event *event)
{
    for (uint32_t i = 0; i < event->choice_count; i++) {
        const mz_choice *choice = &x->choices[event->first_choice + i];
        if (choice->value != choice->low)
            return true;
    }
    return false;
}

/* ---- operations -----------------------------------------------------------------------------------------
 */

/* Room for as many accesses as the largest operation has: what is there keeps its place. */
static void make_room(mz_mutations *m, uint32_t most)
{
    m->most_accesses = most;
    m->accesses = mz_grow(m->accesses, &m->access_capacity, (size_t)most * SLOTS + 1, sizeof *m->accesses);
    m->writers = mz_grow(m->writers, &m->writer_capacity, (size_t)most * SLOTS + 1, sizeof *m->writers);
}

static operation operation_in(mz_mutations *m, int slot, const mz_operation *pending, uint32_t thread)
{
    mz_access *accesses = m->accesses + (size_t)m->most_accesses * (unsigned)slot;
    bool conditional = mz_may_only_read(pending->conditional, pending->kind);
    for (uint32_t i = 0; i < pending->access_count; i++) {
        accesses[i] = pending->accesses[i];
        accesses[i].kind |= conditional ? MZ_WRITE : 0;
    }
    return (operation){.thread = thread,
                       .index = execution_of(m)->thread_length[thread] + 1,
                       .kind = pending->kind,
                       .blocking = pending->blocking,
                       .conditional = conditional,
                       .access_count = pending->access_count,
                       .accesses = accesses,
                       .writers = m->writers + (size_t)m->most_accesses * (unsigned)slot,
                       .cause_count = pending->cause_count,
                       .causes = pending->causes};
}

/* A compare-and-swap may write if it reads from another write. */
static operation operation_of(mz_mutations *m, int slot, uint32_t position)
{
    const mz_execution *x = execution_of(m);
    const mz_event *event = &x->events[position];
    mz_access *accesses = m->accesses + (size_t)m->most_accesses * (unsigned)slot;
    bool conditional = mz_may_only_read(event->conditional, event->kind);
    for (uint32_t i = 0; i < event->access_count; i++) {
        accesses[i] = x->records[event->first_access + i].access;
        accesses[i].kind |= conditional ? MZ_WRITE : 0;
    }
    return (operation){.thread = event->thread,
                       .index = event->index,
                       .kind = event->kind,
                       .blocking = event->blocking,
                       .conditional = conditional,
                       .access_count = event->access_count,
                       .accesses = accesses,
                       .writers = m->writers + (size_t)m->most_accesses * (unsigned)slot,
                       .cause_count = event->cause_count,
                       .causes = x->causes + event->first_cause};
}

static bool is_loose_read(const mz_mutations *m, const operation *o, uint32_t i)
{
    return mz_is_loose_read(&m->observation, o->accesses[i]);
}

static uint32_t count_loose_reads(const mz_mutations *m, const operation *o)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->access_count; i++)
        count += is_loose_read(m, o, i);
    return count;
}

static bool writes(const operation *o, uint32_t location)
{
    for (uint32_t i = 0; i < o->access_count; i++)
        if (o->accesses[i].location == location && (o->accesses[i].kind & MZ_WRITE))
            return true;
    return false;
}

static bool conflict_strictly(const mz_mutations *m, const operation *a, const operation *b)
{
    for (uint32_t i = 0; i < a->access_count; i++)
        if (!mz_is_loose(&m->observation, a->accesses[i].location) &&
            mz_accesses_conflict(&a->accesses[i], 1, b->accesses, b->access_count))
            return true;
    return false;
}

/* Clocks of an order of events. */
typedef const uint32_t *(*clock_function)(const mz_mutations *m, uint32_t position);

/* What comes before the operation whatever it reads. */
static void past_of(const mz_mutations *m, const operation *o, uint32_t *set, clock_function clock)
{
    const mz_execution *x = execution_of(m);
    if (o->index > 1)
        join(m, set, clock(m, mz_position_of(x, o->thread, o->index - 1)));
    for (uint32_t i = 0; i < o->cause_count; i++)
        join(m, set, clock(m, mz_position_of(x, o->causes[i].thread, o->causes[i].index)));
}

/* ---- realising ------------------------------------------------------------------------------------------
 */

static mz_realiser *prepare_realiser(mz_mutations *m, const uint32_t *set, const mz_addition *additions,
                                     uint32_t count)
{
    mz_realiser *r = &m->realiser;
    r->execution = execution_of(m);
    r->observation = &m->observation;
    r->set = set;
    r->additions = additions;
    r->addition_count = count;
    return r;
}

static bool realise(mz_mutations *m, const uint32_t *set, const operation *const *operations, uint32_t count)
{
    mz_addition additions[MZ_MOST_ADDITIONS];
    for (uint32_t i = 0; i < count; i++)
        additions[i] = (mz_addition){.thread = operations[i]->thread,
                                     .access_count = operations[i]->access_count,
                                     .accesses = operations[i]->accesses,
                                     .writers = operations[i]->writers,
                                     .cause_count = operations[i]->cause_count,
                                     .causes = operations[i]->causes};
    m->search->statistics.constraint_systems++;
    return mz_realise(prepare_realiser(m, set, additions, count));
}

/* A conditional operation is taken to write; here it is not. */
static void take_for_read(mz_mutations *m, operation *o)
{
    mz_access *accesses = m->accesses + (o->accesses - m->accesses);
    for (uint32_t i = 0; i < o->access_count; i++)
        accesses[i].kind &= ~(uint32_t)MZ_WRITE;
}

static void take_for_write(mz_mutations *m, operation *o)
{
    mz_access *accesses = m->accesses + (o->accesses - m->accesses);
    for (uint32_t i = 0; i < o->access_count; i++)
        accesses[i].kind |= MZ_WRITE;
}

/* ---- asking the machine ---------------------------------------------------------------------------------
 */

/* Run what has been realised, up to the first addition, which is not done. */
static void run_realised(mz_mutations *m)
{
    mz_search *s = m->search;
    const mz_execution *x = s->execution;
    mz_search_return_to(s, 0);
    s->machine_depth = SIZE_MAX;
    for (size_t i = 0; i < m->realiser.order_count && m->realiser.order[i] < x->length; i++) {
        const mz_event *event = &x->events[m->realiser.order[i]];
        mz_operation ignored;
        mz_choices_prescribe(&s->choices, x->choices + event->first_choice, event->choice_count);
        s->machine->class->step(s->machine, event->thread, &s->choices, &ignored);
    }
}

static bool would_write(mz_mutations *m, uint32_t thread)
{
    mz_search *s = m->search;
    mz_operation executed;
    run_realised(m);
    mz_choices_prescribe(&s->choices, NULL, 0);
    s->machine->class->step(s->machine, thread, &s->choices, &executed);
    for (uint32_t i = 0; i < executed.access_count; i++)
        if (executed.accesses[i].kind & MZ_WRITE)
            return true;
    return false;
}

static bool would_be_ready(mz_mutations *m, const uint32_t *set, uint32_t thread)
{
    realise(m, set, NULL, 0);
    run_realised(m);
    return mz_threads_has(m->search->machine->status->ready, thread);
}

/* ---- accesses of a location -----------------------------------------------------------------------------
 */

/* The record before this one in the order of the location: the reads since a write come before the write. */
static uint32_t record_before(const mz_execution *x, mz_location_state *state)
{
    uint32_t record = state->last_read;
    if (record != MZ_NONE) {
        state->last_read = x->records[record].previous_read;
        return record;
    }
    record = state->last_write;
    if (record != MZ_NONE)
        *state = (mz_location_state){x->records[record].previous_write, x->records[record].previous_read};
    return record;
}

/* The last event of the set that writes the location, which is strict. */
static const mz_event *last_write_in(const mz_mutations *m, const uint32_t *set, uint32_t location)
{
    const mz_execution *x = execution_of(m);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE; r = x->records[r].previous_write)
        if (is_in(set, &x->events[x->records[r].event]))
            return &x->events[x->records[r].event];
    return NULL;
}

/* Can the blocking operation happen after these events? */
static bool is_ready_after(mz_mutations *m, const uint32_t *set, const operation *o)
{
    if (!o->blocking || o->access_count == 0)
        return true;
    const mz_event *last = last_write_in(m, set, o->accesses[0].location);
    if (o->kind == MZ_OP_LOCK && (!last || last->kind == MZ_OP_UNLOCK))
        return true;
    if (o->kind == MZ_OP_LOCK && last->kind == MZ_OP_LOCK)
        return false;
    return would_be_ready(m, set, o->thread);
}

/* ---- the default ----------------------------------------------------------------------------------------
 */

/* Candidates to read from: the higher thread first, in a thread the later write; the initial value last. */
static bool comes_first(const mz_execution *x, uint32_t a, uint32_t b)
{
    if (a == MZ_NONE || b == MZ_NONE)
        return b == MZ_NONE && a != MZ_NONE;
    const mz_event *one = &x->events[a], *other = &x->events[b];
    return one->thread != other->thread ? one->thread > other->thread : one->index > other->index;
}

static const uint32_t *saturated(const mz_mutations *m, uint32_t position)
{
    return mz_saturated(&m->realiser, position);
}

/* Push the writes of the set that the operation could read from, as far as the order tells, and the initial
 * value; returns how many. */
static size_t push_candidates(mz_mutations *m, const operation *o, const uint32_t *set, uint32_t location,
                              clock_function clock)
{
    const mz_execution *x = execution_of(m);
    set_of_events past = {0}, hidden = {0};
    bool initial = true;
    size_t first = m->candidate_count;
    past_of(m, o, past, clock);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE;
         r = x->records[r].previous_write) {
        uint32_t position = x->records[r].event;
        const mz_event *event = &x->events[position];
        if (!is_in(set, event))
            continue;
        if (is_in(past, event)) { /* it hides what is before it */
            initial = false;
            set_of_events before;
            memcpy(before, clock(m, position), width_of(m) * sizeof *before);
            before[event->thread]--;
            join(m, hidden, before);
        }
        m->candidates =
            mz_grow(m->candidates, &m->candidate_capacity, m->candidate_count + 2, sizeof *m->candidates);
        m->candidates[m->candidate_count++] = position;
    }
    size_t kept = first;
    for (size_t i = first; i < m->candidate_count; i++)
        if (!is_in(hidden, &x->events[m->candidates[i]]))
            m->candidates[kept++] = m->candidates[i];
    m->candidates = mz_grow(m->candidates, &m->candidate_capacity, kept + 1, sizeof *m->candidates);
    if (initial)
        m->candidates[kept++] = MZ_NONE;
    m->candidate_count = kept;
    return kept - first;
}

static void sort_candidates(mz_mutations *m, size_t first)
{
    const mz_execution *x = execution_of(m);
    for (size_t i = first + 1; i < m->candidate_count; i++) {
        uint32_t candidate = m->candidates[i];
        size_t at = i;
        for (; at > first && comes_first(x, candidate, m->candidates[at - 1]); at--)
            m->candidates[at] = m->candidates[at - 1];
        m->candidates[at] = candidate;
    }
}

/* Can the operation, after the events of the set, read as its writers say? */
static bool is_possible(mz_mutations *m, const uint32_t *set, operation *o)
{
    const operation *operations[] = {o};
    if (realise(m, set, operations, 1))
        return true;
    if (!o->conditional)
        return false;
    take_for_read(m, o);
    bool possible = realise(m, set, operations, 1) && !would_write(m, o->thread);
    take_for_write(m, o);
    return possible;
}

/* What the event at this position reads from in its i-th access. */
static uint32_t reads_from(const mz_execution *x, uint32_t position, uint32_t i)
{
    uint32_t record = x->records[x->events[position].first_access + i].previous_write;
    return record == MZ_NONE ? MZ_NONE : x->records[record].event;
}

/* Is there something else to read from, from the i-th access on, that comes first and is possible? So far the
 * writers are those of the event, or (`differs`) come first. */
static bool has_better(mz_mutations *m, const uint32_t *set, operation *o, uint32_t position, uint32_t i,
                       bool differs)
{
    if (i == o->access_count)
        return differs && is_possible(m, set, o);
    if (!is_loose_read(m, o, i))
        return has_better(m, set, o, position, i + 1, differs);
    size_t first = m->candidate_count, count = push_candidates(m, o, set, o->accesses[i].location, observed);
    uint32_t actual = reads_from(execution_of(m), position, i);
    bool found = false;
    sort_candidates(m, first);
    for (size_t c = 0; c < count && !found; c++) {
        uint32_t candidate = m->candidates[first + c];
        if (!differs && candidate != actual && !comes_first(execution_of(m), candidate, actual))
            break;
        o->writers[i] = candidate;
        found = has_better(m, set, o, position, i + 1, differs || candidate != actual);
    }
    m->candidate_count = first;
    return found;
}

static bool has_loose_read(const mz_mutations *m, uint32_t position)
{
    const mz_execution *x = execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++)
        if (mz_is_loose_read(&m->observation, x->records[event->first_access + i].access))
            return true;
    return false;
}

/* A cheap test first. After the events of the set, in the order of E, an operation reads from the last write:
 * that is possible in any case. Does it come first? */
static bool has_better_last(const mz_mutations *m, const uint32_t *set, uint32_t position)
{
    const mz_execution *x = execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        if (!mz_is_loose_read(&m->observation, access))
            continue;
        uint32_t r = mz_location_now(x, access.location).last_write;
        while (r != MZ_NONE && !is_in(set, &x->events[x->records[r].event]))
            r = x->records[r].previous_write;
        uint32_t last = r == MZ_NONE ? MZ_NONE : x->records[r].event, actual = reads_from(x, position, i);
        if (last != actual)
            return comes_first(x, last, actual);
    }
    return false;
}

/* Is the event what its thread does by default after the events of the set? */
static bool is_default(mz_mutations *m, const uint32_t *set, uint32_t position)
{
    if (!has_loose_read(m, position))
        return true;
    if (has_better_last(m, set, position))
        return false;
    operation o = operation_of(m, OF_DEFAULT, position);
    return !has_better(m, set, &o, position, 0, false);
}

/* ---- another pivot --------------------------------------------------------------------------------------
 */

/* E mutated at the stage: after the events of a set, x and the pivot e. */
typedef struct attempt {
    uint32_t stage, e;
    const uint32_t *state; /* before the stage */
    /* Position of x in E, where it directly follows e and what is kept; MZ_NONE if it waits there. */
    uint32_t x_event;
    operation x, pivot;
    bool conflict_strictly;
    uint32_t pivot_reads;
} attempt;

static const uint32_t *state_of(const mz_mutations *m, uint32_t stage)
{
    return m->states + (size_t)stage * width_of(m);
}

static bool bends_are_kept(const mz_mutations *m, const attempt *a, const uint32_t *beginning)
{
    for (uint32_t t = 0; t < execution_of(m)->thread_capacity; t++)
        if (m->last_bend[t] > beginning[t] && m->bend_stage[t] > a->stage)
            return false;
    return true;
}

/* Is all that comes before the event in the set? */
static bool is_past_kept(const mz_mutations *m, uint32_t position, const uint32_t *set)
{
    const uint32_t *clock = observed(m, position);
    uint32_t thread = execution_of(m)->events[position].thread;
    for (uint32_t t = 0; t < execution_of(m)->thread_capacity; t++)
        if (t != thread && clock[t] > set[t])
            return false;
    return true;
}

/* E with what is kept, then e, then x if it does not wait: everything else is to be default. */
static void beginning_of(const mz_mutations *m, const attempt *a, const uint32_t *set, uint32_t *beginning)
{
    memcpy(beginning, set, width_of(m) * sizeof *beginning);
    beginning[a->pivot.thread] = a->pivot.index;
    if (a->x_event != MZ_NONE)
        beginning[a->x.thread] = a->x.index;
}

/* Is the pivot of the stage the default in the state before it? */
static bool is_default_in_place(mz_mutations *m, uint32_t stage)
{
    if (m->defaults[stage] == UNKNOWN)
        m->defaults[stage] = is_default(m, state_of(m, stage), m->pivots[stage]) ? IS_DEFAULT : IS_NOT;
    return m->defaults[stage] == IS_DEFAULT;
}

/* … after the events of the beginning as well? */
static bool is_default_after(mz_mutations *m, uint32_t stage, const uint32_t *beginning)
{
    const mz_execution *x = execution_of(m);
    uint32_t pivot = m->pivots[stage];
    if (pivot == MZ_NONE || m->defaults[stage] == READS_NOTHING || is_in(beginning, &x->events[pivot]))
        return true;
    if (!mz_clock_is_behind(state_of(m, stage), beginning, width_of(m)))
        return is_default_in_place(m, stage);
    set_of_events all;
    memcpy(all, beginning, width_of(m) * sizeof *all);
    join(m, all, state_of(m, stage));
    return is_default(m, all, pivot);
}

static bool rest_is_default(mz_mutations *m, const attempt *a, const uint32_t *set, const uint32_t *beginning)
{
    for (uint32_t stage = m->stage_count - 1; stage > a->stage; stage--)
        if (!is_default_after(m, stage, beginning))
            return false;
    if (!is_default(m, set, a->e))
        return false;
    if (a->x_event == MZ_NONE)
        return true;
    set_of_events after_e;
    memcpy(after_e, set, width_of(m) * sizeof *after_e);
    after_e[a->pivot.thread] = a->pivot.index;
    return is_default(m, after_e, a->x_event);
}

/* Where x waits after e, it must; and where it does not it must not have to. */
static bool waits_as_assumed(mz_mutations *m, const attempt *a, const uint32_t *set)
{
    if (!a->x.blocking)
        return a->x_event != MZ_NONE;
    set_of_events after_e;
    memcpy(after_e, set, width_of(m) * sizeof *after_e);
    after_e[a->pivot.thread] = a->pivot.index;
    return is_ready_after(m, after_e, &a->x) == (a->x_event != MZ_NONE);
}

/* What comes before x, if it follows the events of the set. */
static void past_of_x(const mz_mutations *m, const attempt *a, const uint32_t *set, uint32_t *past)
{
    const mz_execution *x = execution_of(m);
    past_of(m, &a->x, past, observed);
    for (uint32_t i = 0; i < a->x.access_count; i++) {
        const mz_access *access = &a->x.accesses[i];
        if (is_loose_read(m, &a->x, i) && a->x.writers[i] != MZ_NONE)
            join(m, past, observed(m, a->x.writers[i]));
        if (mz_is_loose(&m->observation, access->location))
            continue;
        mz_location_state state = mz_location_now(x, access->location);
        for (uint32_t r; (r = record_before(x, &state)) != MZ_NONE;)
            if (is_in(set, &x->events[x->records[r].event]) &&
                ((x->records[r].access.kind | access->kind) & MZ_WRITE))
                join(m, past, observed(m, x->records[r].event));
    }
}

typedef struct predecessors {
    const mz_mutations *m;
    const attempt *a;
    const uint32_t *past_of_x;
} predecessors;

typedef bool (*of_predecessor)(const predecessors *p, uint32_t position, uint32_t other);

/* Does the function hold for every event, behind the state, that the pivot comes right after, but for x? */
static bool for_each_predecessor(const predecessors *p, of_predecessor function, uint32_t other)
{
    const mz_execution *x = execution_of(p->m);
    const operation *pivot = &p->a->pivot;
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
    const mz_event *hidden = &execution_of(p->m)->events[other];
    return position == other || observed(p->m, position)[hidden->thread] < hidden->index;
}

static bool is_lower_than_x(const predecessors *p, uint32_t position, uint32_t ignored)
{
    (void)ignored;
    const mz_event *event = &execution_of(p->m)->events[position];
    return is_in(p->a->state, event) || is_in(p->past_of_x, event) || event->thread < p->a->x.thread ||
           !for_each_predecessor(p, does_not_hide, position);
}

/* Is x the event of the highest thread among the maximal ones of the detour? */
static bool is_last(const mz_mutations *m, const attempt *a, const uint32_t *set)
{
    set_of_events past = {0};
    past_of_x(m, a, set, past);
    return for_each_predecessor(&(predecessors){m, a, past}, is_lower_than_x, 0);
}

static bool reads_from_x(const mz_mutations *m, const attempt *a)
{
    for (uint32_t i = 0; i < a->pivot.access_count; i++)
        if (is_loose_read(m, &a->pivot, i) && a->pivot.writers[i] == MZ_FIRST_ADDITION)
            return true;
    return false;
}

static void adopt(mz_mutations *m, const attempt *a, const uint32_t *set, mz_expectation of_pivot)
{
    mz_mutation mutation = {
        .order = m->realiser.order,
        .length = m->realiser.order_count,
        .set = set,
        .stage = a->stage,
        .count = 2,
        .threads = {a->x.thread, a->pivot.thread},
        .expected = {a->x.conditional && reads_from_x(m, a) ? MZ_MUST_WRITE : MZ_WHATEVER, of_pivot}};
    m->adopt(m->search, &mutation);
}

static void finish(mz_mutations *m, attempt *a, const uint32_t *set)
{
    set_of_events beginning;
    beginning_of(m, a, set, beginning);
    m->search->statistics.race_checks++;
    if ((!a->conflict_strictly && !reads_from_x(m, a)) || !is_past_kept(m, a->e, set) ||
        (a->x_event != MZ_NONE && !is_past_kept(m, a->x_event, beginning)) ||
        !bends_are_kept(m, a, beginning) || !is_last(m, a, set) || !is_ready_after(m, set, &a->x) ||
        !waits_as_assumed(m, a, set) || !rest_is_default(m, a, set, beginning))
        return;
    const operation *operations[] = {&a->x, &a->pivot};
    if (realise(m, set, operations, 2)) {
        adopt(m, a, set, MZ_WHATEVER);
    } else if (a->pivot.conditional) {
        take_for_read(m, &a->pivot);
        if (realise(m, set, operations, 2))
            adopt(m, a, set, MZ_MUST_READ);
        take_for_write(m, &a->pivot);
    }
}

/* Choose what the loose reads of x read from, then those of the pivot. */
static void choose_writers(mz_mutations *m, attempt *a, operation *o, uint32_t i, const uint32_t *set);

static void choose_writer(mz_mutations *m, attempt *a, operation *o, uint32_t i, const uint32_t *set,
                          uint32_t writer)
{
    set_of_events more;
    o->writers[i] = writer;
    if (writer == MZ_NONE || writer == MZ_FIRST_ADDITION) {
        choose_writers(m, a, o, i + 1, set);
        return;
    }
    const uint32_t *clock = observed(m, writer);
    if (clock[a->x.thread] >= a->x.index || clock[a->pivot.thread] >= a->pivot.index)
        return;
    memcpy(more, set, width_of(m) * sizeof *more);
    join(m, more, clock);
    choose_writers(m, a, o, i + 1, more);
}

static void choose_writers(mz_mutations *m, attempt *a, operation *o, uint32_t i, const uint32_t *set)
{
    const mz_execution *x = execution_of(m);
    bool is_pivot = o == &a->pivot;
    while (i < o->access_count && !is_loose_read(m, o, i))
        i++;
    if (i == o->access_count) {
        if (is_pivot)
            finish(m, a, set);
        else
            choose_writers(m, a, &a->pivot, 0, set);
        return;
    }
    uint32_t location = o->accesses[i].location;
    if (is_pivot && writes(&a->x, location))
        choose_writer(m, a, o, i, set, MZ_FIRST_ADDITION);
    if (is_pivot && a->pivot_reads == 1 && !a->conflict_strictly)
        return; /* it has to read from x */
    choose_writer(m, a, o, i, set, MZ_NONE);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE; r = x->records[r].previous_write)
        choose_writer(m, a, o, i, set, x->records[r].event);
}

static void join_record(const mz_mutations *m, uint32_t record, uint32_t but, uint32_t *set)
{
    const mz_execution *x = execution_of(m);
    if (record != MZ_NONE && x->records[record].event != but)
        join(m, set, observed(m, x->records[record].event));
}

/* What the event comes after because of strict locations, other than through one event. */
static void join_strict_past(const mz_mutations *m, uint32_t position, uint32_t but, uint32_t *set)
{
    const mz_execution *x = execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &x->records[event->first_access + i];
        if (mz_is_loose(&m->observation, record->access.location))
            continue;
        /* hidden behind that one is what it comes after itself */
        join_record(m, record->previous_write, but, set);
        for (uint32_t r = record->previous_read; (record->access.kind & MZ_WRITE) && r != MZ_NONE;
             r = x->records[r].previous_read)
            join_record(m, r, but, set);
    }
}

/* Is there nothing to choose that x or the pivot could read from? */
static bool has_no_choice(const mz_mutations *m, const attempt *a)
{
    return count_loose_reads(m, &a->x) == 0 &&
           (a->pivot_reads == 0 || (a->pivot_reads == 1 && !a->conflict_strictly));
}

static void try_x(mz_mutations *m, attempt *a)
{
    set_of_events set = {0}, beginning;
    a->conflict_strictly = conflict_strictly(m, &a->x, &a->pivot);
    memcpy(set, a->state, width_of(m) * sizeof *set);
    past_of(m, &a->x, set, observed);
    join_strict_past(m, a->e, MZ_NONE, set);
    if (a->x_event != MZ_NONE)
        join_strict_past(m, a->x_event, a->e, set);
    if (set[a->pivot.thread] >= a->pivot.index || set[a->x.thread] >= a->x.index)
        return;
    beginning_of(m, a, set, beginning);
    if (!has_no_choice(m, a) || bends_are_kept(m, a, beginning))
        choose_writers(m, a, &a->x, 0, set);
}

/* Could the event come before the pivot e and make a difference to it? A compare-and-swap may write. */
static bool is_relevant(const mz_mutations *m, uint32_t e, const mz_event *event, const mz_access *accesses,
                        uint32_t count)
{
    const mz_execution *x = execution_of(m);
    const mz_event *pivot = &x->events[e];
    bool conditional = event && mz_may_only_read(event->conditional, event->kind);
    for (uint32_t i = 0; i < pivot->access_count; i++) {
        mz_access own = x->records[pivot->first_access + i].access;
        bool loose = mz_is_loose(&m->observation, own.location);
        for (uint32_t j = 0; j < count; j++) {
            mz_access other = event ? x->records[event->first_access + j].access : accesses[j];
            if (other.location != own.location)
                continue;
            bool writes = conditional || (other.kind & MZ_WRITE);
            if (loose ? writes && (own.kind & MZ_READ) : writes || (own.kind & MZ_WRITE))
                return true;
        }
    }
    return false;
}

/* Every bend in later stages has to be kept, or be x: more than one must not come after e. */
static bool can_be_moved(const mz_mutations *m, uint32_t stage, const mz_event *e)
{
    const mz_execution *x = execution_of(m);
    uint32_t after = 0;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        after += m->last_bend[t] > 0 && m->bend_stage[t] > stage &&
                 observed(m, mz_position_of(x, t, m->last_bend[t]))[e->thread] >= e->index;
    return after <= 1;
}

/* Does it make no difference to the operation what comes before it? */
static bool only_writes_loosely(const mz_mutations *m, const operation *o)
{
    for (uint32_t i = 0; i < o->access_count; i++)
        if (!mz_is_loose(&m->observation, o->accesses[i].location) || (o->accesses[i].kind & MZ_READ))
            return false;
    return true;
}

/* No x stands before this position. If there are no bends in later stages, all that is not in the state has
 * been added by default since, in this order. If there are, and x just writes, they come before x or are it.
 */
static uint32_t first_candidate(const mz_mutations *m, const attempt *a)
{
    const mz_execution *x = execution_of(m);
    const mz_location_nature *nature = &m->observation.natures[a->pivot.accesses[0].location];
    uint32_t last = MZ_NONE;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (m->last_bend[t] > 0 && m->bend_stage[t] > a->stage) {
            uint32_t position = mz_position_of(x, t, m->last_bend[t]);
            if (mz_stands_before(last, position))
                last = position;
        }
    if (last != MZ_NONE)
        return nature->loose && !nature->written_on_the_way ? last : 0;
    return a->stage > m->planned_stage ? a->e : 0;
}

static void try_event(mz_mutations *m, attempt *a, uint32_t position)
{
    const mz_execution *x = execution_of(m);
    const mz_event *event = &x->events[position];
    if (event->thread == x->events[a->e].thread || is_in(a->state, event) ||
        !is_relevant(m, a->e, event, NULL, event->access_count))
        return;
    a->x = operation_of(m, OF_X, position);
    a->x_event = position;
    if (!has_higher_choice(x, event))
        try_x(m, a);
    a->x_event = MZ_NONE;
    if (a->x.blocking)
        try_x(m, a);
}

static void try_waiting(mz_mutations *m, attempt *a, uint32_t thread)
{
    mz_search *s = m->search;
    mz_operation pending;
    mz_cause causes[MZ_MAX_THREADS];
    mz_search_return_to(s, s->execution->length);
    s->machine->class->pending(s->machine, thread, &pending);
    if (thread == a->pivot.thread || !is_relevant(m, a->e, NULL, pending.accesses, pending.access_count))
        return;
    a->x = operation_in(m, OF_X, &pending, thread);
    for (uint32_t i = 0; i < pending.cause_count; i++)
        causes[i] = pending.causes[i]; /* the machine reuses its own */
    a->x.causes = causes;
    a->x_event = MZ_NONE;
    try_x(m, a);
}

static void mutate_stage(mz_mutations *m, uint32_t stage, mz_threads waiting)
{
    const mz_execution *x = execution_of(m);
    attempt a = {.stage = stage, .e = m->pivots[stage], .state = state_of(m, stage)};
    if (a.e == MZ_NONE || x->events[a.e].access_count == 0 || has_higher_choice(x, &x->events[a.e]) ||
        !can_be_moved(m, stage, &x->events[a.e]))
        return;
    a.pivot = operation_of(m, OF_PIVOT, a.e);
    if (only_writes_loosely(m, &a.pivot))
        return;
    a.pivot_reads = count_loose_reads(m, &a.pivot);
    if (a.pivot.access_count == 1) {
        mz_location_state state = mz_location_now(x, a.pivot.accesses[0].location);
        uint32_t from = first_candidate(m, &a);
        for (uint32_t r; (r = record_before(x, &state)) != MZ_NONE && x->records[r].event >= from;)
            try_event(m, &a, x->records[r].event);
    } else {
        for (uint32_t position = 0; position < x->length; position++)
            try_event(m, &a, position);
    }
    MZ_FOR_EACH_THREAD(thread, waiting)
    {
        try_waiting(m, &a, thread);
    }
}

/* ---- a whole execution ----------------------------------------------------------------------------------
 */

static void find_stages(mz_mutations *m)
{
    const mz_execution *x = execution_of(m);
    uint32_t width = width_of(m);
    m->states =
        mz_grow(m->states, &m->state_capacity, (size_t)(m->stage_count + 1) * width, sizeof *m->states);
    m->pivots = mz_grow(m->pivots, &m->pivot_capacity, m->stage_count + 1, sizeof *m->pivots);
    m->defaults = mz_grow(m->defaults, &m->default_capacity, m->stage_count + 1, sizeof *m->defaults);
    memset(m->states, 0, (size_t)(m->stage_count + 1) * width * sizeof *m->states);
    for (uint32_t stage = 0; stage < m->stage_count; stage++) {
        m->pivots[stage] = MZ_NONE;
        m->defaults[stage] = READS_NOTHING;
    }
    for (uint32_t t = 0; t < x->thread_capacity; t++) {
        uint32_t index = 0;
        m->last_bend[t] = 0;
        for (uint32_t stage = 0; stage < m->stage_count; stage++) {
            while (index < x->thread_length[t] && m->stages[x->positions[t][index]].number < stage)
                index++;
            m->states[(size_t)stage * width + t] = index;
        }
        for (index = 1; index <= x->thread_length[t]; index++) {
            uint32_t position = mz_position_of(x, t, index);
            const mz_stage *stage = &m->stages[position];
            if (stage->pivot) {
                m->pivots[stage->number] = position;
                m->defaults[stage->number] = has_loose_read(m, position) ? UNKNOWN : READS_NOTHING;
            }
            if (!stage->pivot || has_higher_choice(x, &x->events[position])) {
                m->last_bend[t] = index;
                m->bend_stage[t] = stage->number;
            }
        }
    }
}

static uint32_t most_accesses(const mz_mutations *m)
{
    const mz_execution *x = execution_of(m);
    uint32_t most = 0;
    for (uint32_t position = 0; position < x->length; position++)
        if (x->events[position].access_count > most)
            most = x->events[position].access_count;
    return most;
}

void mz_mutate_execution(mz_mutations *m, uint32_t planned_stage, uint32_t stage_count)
{
    mz_search *s = m->search;
    mz_machine *machine = s->machine;
    uint32_t most = most_accesses(m);
    mz_search_return_to(s, s->execution->length);
    mz_threads waiting = machine->status->blocked;
    MZ_FOR_EACH_THREAD(thread, waiting)
    {
        mz_operation pending;
        machine->class->pending(machine, thread, &pending);
        most = pending.access_count > most ? pending.access_count : most;
        mz_observation_note_waiting(&m->observation, &pending);
    }
    if (m->observation.learned)
        return;
    make_room(m, most);
    m->planned_stage = planned_stage;
    m->stage_count = stage_count;
    find_stages(m);
    for (uint32_t stage = 0; stage < stage_count && !s->stop; stage++)
        mutate_stage(m, stage, waiting);
}

/* ---- the next operation ---------------------------------------------------------------------------------
 */

static void adopt_next(mz_mutations *m, const operation *o, const uint32_t *set, uint32_t stage,
                       mz_expectation expected)
{
    m->adopt(m->search, &(mz_mutation){.order = m->realiser.order,
                                       .length = m->realiser.order_count,
                                       .set = set,
                                       .stage = stage,
                                       .count = 1,
                                       .threads = {o->thread},
                                       .expected = {expected}});
}

static void finish_next(mz_mutations *m, operation *o, const uint32_t *set, uint32_t stage)
{
    const operation *operations[] = {o};
    if (realise(m, set, operations, 1)) {
        adopt_next(m, o, set, stage, MZ_WHATEVER);
    } else if (o->conditional) {
        take_for_read(m, o);
        if (realise(m, set, operations, 1))
            adopt_next(m, o, set, stage, MZ_MUST_READ);
        take_for_write(m, o);
    }
}

/* From the i-th access on; `differs`: the writers so far are not those that come last in the execution. */
static void choose_next(mz_mutations *m, operation *o, const uint32_t *set, uint32_t stage, uint32_t i,
                        bool differs)
{
    const mz_execution *x = execution_of(m);
    while (i < o->access_count && !is_loose_read(m, o, i))
        i++;
    if (i == o->access_count) {
        if (differs)
            finish_next(m, o, set, stage);
        return;
    }
    uint32_t location = o->accesses[i].location, record = mz_location_now(x, location).last_write;
    uint32_t last = record == MZ_NONE ? MZ_NONE : x->records[record].event;
    size_t first = m->candidate_count, count = push_candidates(m, o, set, location, observed);
    if (count > 2) { /* it pays to look closer */
        m->candidate_count = first;
        mz_realiser_saturate(prepare_realiser(m, set, NULL, 0));
        count = push_candidates(m, o, set, location, saturated);
    }
    for (size_t c = 0; c < count; c++) {
        uint32_t candidate = m->candidates[first + c];
        o->writers[i] = candidate;
        choose_next(m, o, set, stage, i + 1, differs || candidate != last);
    }
    m->candidate_count = first;
}

void mz_mutate_next(mz_mutations *m, uint32_t thread, uint32_t stage)
{
    mz_search *s = m->search;
    mz_operation pending;
    bool any = false;
    s->machine->class->pending(s->machine, thread, &pending);
    for (uint32_t i = 0; i < pending.access_count && !any; i++)
        any = mz_is_loose_read(&m->observation, pending.accesses[i]);
    if (!any)
        return;
    make_room(m, pending.access_count);
    operation o = operation_in(m, OF_PIVOT, &pending, thread);
    set_of_events set = {0};
    memcpy(set, s->execution->thread_length, s->execution->thread_capacity * sizeof *set);
    choose_next(m, &o, set, stage, 0, false);
}

void mz_mutations_release(mz_mutations *m)
{
    mz_observation_release(&m->observation);
    mz_realiser_release(&m->realiser);
    mz_release(m->stages);
    mz_release(m->states);
    mz_release(m->pivots);
    mz_release(m->defaults);
    mz_release(m->accesses);
    mz_release(m->writers);
    mz_release(m->candidates);
}
