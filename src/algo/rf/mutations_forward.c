/* Forward mutations: what an operation that came by default could have read from instead of what was written
 * last.
 *
 * The execution at hand went on with what was written last. Every other choice of candidates is realised, if
 * that is possible, after all events before it. Choices differ in what is read from, and none is left out:
 * each observation that begins like this is met through one of them.
 *
 * They are looked for when the execution has ended, from the first such event to the last one: on the way
 * nothing depends on them, and the order of the observation is found for all events at once. */
#include <string.h>

#include "algo/rf/mutations_internal.h"
#include "base/memory.h"

enum { FEW = 4 };

/* An event that reads loosely, and came by default. */
typedef struct reading {
    mz_mutations *m;
    uint32_t position, stage;
    mz__set_of_events set; /* the events before it, see events_before() */
    bool has_set;
    mz__subject o;
} reading;

static const uint32_t *events_before(reading *f)
{
    if (!f->has_set)
        mz__find_state_before(f->m, f->position, f->set);
    f->has_set = true;
    return f->set;
}

static const uint32_t *saturated(const mz_mutations *m, uint32_t position)
{
    return mz_saturated(&m->realiser, position);
}

/* The record of what the i-th access read from in E, or MZ_NONE. */
static uint32_t record_read(const mz_execution *x, uint32_t position, uint32_t i)
{
    return x->records[x->events[position].first_access + i].previous_write;
}

static inline void push_candidate(mz_mutations *m, uint32_t position)
{
    m->candidates =
        mz_grow(m->candidates, &m->candidate_capacity, m->candidate_count + 1, sizeof *m->candidates);
    m->candidates[m->candidate_count++] = position;
}

/* Push the writes before the event that its i-th access could read from, as far as the order tells, and the
 * initial value; returns how many. */
MZ_VECTOR static size_t push_candidates(reading *f, uint32_t i, mz__clock_function clock)
{
    mz_mutations *m = f->m;
    const mz_execution *x = mz__execution_of(m);
    mz__set_of_events past, hidden;
    bool hides_initial = false;
    size_t first = m->candidate_count;
    memset(past, 0, mz__width_of(m) * sizeof *past);
    memset(hidden, 0, mz__width_of(m) * sizeof *hidden);
    mz__join_past(m, &f->o, past, clock);
    for (uint32_t r = record_read(x, f->position, i); r != MZ_NONE; r = x->records[r].previous_write) {
        uint32_t position = x->records[r].event;
        const mz_event *event = &x->events[position];
        push_candidate(m, position);
        if (!mz__is_in(past, event))
            continue;
        hides_initial = true; /* and writes before that one */
        if (m->observation.covers[position])
            break;
        uint32_t own = hidden[event->thread];
        mz__join(m, hidden, clock(m, position));
        hidden[event->thread] = own > event->index - 1 ? own : event->index - 1;
    }
    size_t kept = first;
    for (size_t c = first; c < m->candidate_count; c++)
        if (!mz__is_in(hidden, &x->events[m->candidates[c]]))
            m->candidates[kept++] = m->candidates[c];
    m->candidate_count = kept;
    if (!hides_initial)
        push_candidate(m, MZ_NONE);
    return m->candidate_count - first;
}

static void adopt_order(const reading *f, const uint32_t *order, size_t unmoved, mz_expectation expected,
                        mz_certainty is_default)
{
    mz_mutations *m = f->m;
    m->adopt(m->search, &(mz_mutation){.order = order,
                                       .length = f->position + 1,
                                       .unmoved = unmoved,
                                       .stage = f->stage,
                                       .count = 1,
                                       .threads = {f->o.thread},
                                       .expected = {expected},
                                       .is_default = is_default});
}

/* What has been realised. */
static void adopt_reading(const reading *f, mz_expectation expected, mz_certainty is_default)
{
    const mz_realiser *r = &f->m->realiser;
    adopt_order(f, r->order, r->unmoved, expected, is_default);
}

static void finish_reading(reading *f)
{
    mz_mutations *m = f->m;
    const mz__subject *subjects[] = {&f->o};
    if (mz__realise_subjects(m, events_before(f), subjects, 1)) {
        adopt_reading(f, MZ_WHATEVER, MZ_UNKNOWN);
    } else if (f->o.conditional) {
        mz__take_for_read(m, &f->o);
        if (mz__realise_subjects(m, events_before(f), subjects, 1))
            adopt_reading(f, MZ_MUST_READ, MZ_UNKNOWN);
        mz__take_for_write(m, &f->o);
    }
}

static bool adopt_candidate_at_once(reading *f, uint32_t candidate, mz_certainty is_default)
{
    mz_mutations *m = f->m;
    size_t unmoved;
    if (mz__part_for_reading(m, f->position, candidate, &unmoved))
        adopt_order(f, m->order, unmoved, MZ_WHATEVER, is_default);
    else if (mz__realise_at_once(m, events_before(f), &f->o))
        adopt_reading(f, MZ_WHATEVER, is_default);
    else
        return false;
    return true;
}

/* In the order in which they are read by default. */
static void sort_candidates(mz_mutations *m, size_t first)
{
    const mz_execution *x = mz__execution_of(m);
    for (size_t end = first + 1; end < m->candidate_count; end++) {
        uint32_t candidate = m->candidates[end];
        size_t at = end;
        for (; at > first && mz__comes_first(x, candidate, m->candidates[at - 1]); at--)
            m->candidates[at] = m->candidates[at - 1];
        m->candidates[at] = candidate;
    }
}

/* Adopt what the candidates from `first` on lead to if they are realised at once, as most are. The others are
 * left; returns how many they are. The first one that can be realised is the default. */
static size_t adopt_at_once(reading *f, uint32_t i, uint32_t last, size_t first)
{
    mz_mutations *m = f->m;
    size_t left = first;
    mz_certainty is_default = MZ_YES; /* is the next one that is realised? */
    sort_candidates(m, first);
    for (size_t c = first; c < m->candidate_count; c++) {
        uint32_t candidate = f->o.writers[i] = m->candidates[c];
        if (candidate == last) {
            m->stages[f->position] = mz_pivot_of(f->stage, is_default);
            if (is_default == MZ_NO)
                m->bent_stage = f->stage;
        } else if (!adopt_candidate_at_once(f, candidate, is_default)) {
            is_default = is_default == MZ_YES ? MZ_UNKNOWN : is_default;
            m->candidates[left++] = candidate;
            continue;
        }
        is_default = MZ_NO;
    }
    m->candidate_count = left;
    return left - first;
}

/* From the i-th access on; `differs`: the writers so far are not those that come last in the execution. */
static void choose_writers(reading *f, uint32_t i, bool differs)
{
    mz_mutations *m = f->m;
    mz__subject *o = &f->o;
    const mz_execution *x = mz__execution_of(m);
    while (i < o->access_count && !mz__reads_loosely(m, o, i))
        i++;
    if (i == o->access_count) {
        if (differs)
            finish_reading(f);
        return;
    }
    uint32_t last = mz__event_of(x, record_read(x, f->position, i));
    size_t first = m->candidate_count, count = push_candidates(f, i, mz__observed);
    if (count <= FEW && o->access_count == 1) {
        count = adopt_at_once(f, i, last, first);
    } else if (count > 2) { /* it pays to look closer */
        m->candidate_count = first;
        mz_realiser_saturate(mz__prepare_realiser(m, events_before(f), NULL, 0));
        count = push_candidates(f, i, saturated);
    }
    for (size_t c = 0; c < count; c++) {
        uint32_t candidate = m->candidates[first + c];
        o->writers[i] = candidate;
        choose_writers(f, i + 1, differs || candidate != last);
    }
    m->candidate_count = first;
}

/* A way of an operation that moves. */
static bool adopt_way(mz__ways *w)
{
    const mz__subject *o = &w->operation;
    bool differs = false;
    for (uint32_t i = 0; i < o->access_count && !differs; i++)
        differs = mz__reads_loosely(w->m, o, i) &&
                  o->writers[i] != mz__last_write_in(w->m, w->set, o->accesses[i].location);
    if (differs)
        adopt_reading(w->context, MZ_WHATEVER, MZ_UNKNOWN);
    return false;
}

/* Was there just what was written last to be read, as it comes before the event, and all else before it? */
static bool has_one_candidate(const mz_mutations *m, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    if (event->access_count != 1 || event->dynamic)
        return false;
    uint32_t last = mz__event_of(x, record_read(x, position, 0));
    return last == MZ_NONE ||
           (m->observation.covers[last] && mz__is_in(mz__observed(m, event->previous), &x->events[last]));
}

void mz_mutate_reading(mz_mutations *m, uint32_t position, uint32_t stage)
{
    if (has_one_candidate(m, position)) {
        m->stages[position] = mz_pivot_of(stage, MZ_YES);
        return;
    }
    reading f;
    f.m = m;
    f.position = position;
    f.stage = stage;
    f.has_set = false;
    f.o = mz__subject_of_event(m, MZ__OF_PIVOT, position);
    if (f.o.moves)
        mz__walk_ways(&(mz__ways){.m = m,
                                  .slot = MZ__OF_PIVOT,
                                  .operation = f.o,
                                  .set = events_before(&f),
                                  .is_enough = adopt_way,
                                  .context = &f});
    else
        choose_writers(&f, 0, false);
}
