/* Forward mutations: what the next operation could read from instead of what was written last.
 *
 * The execution at hand goes on with what was written last. Every other choice of candidates is realised, if
 * that is possible, after all events so far. Choices differ in what is read from, and none is left out: each
 * observation that begins like this is met through one of them. */
#include <string.h>

#include "base/memory.h"
#include "explore/mutations_internal.h"

enum { FEW = 4 };

static const uint32_t *saturated(const mz_mutations *m, uint32_t position)
{
    return mz_saturated(&m->realiser, position);
}

/* Push the writes of the set that the operation could read from, as far as the order tells, and the initial
 * value; returns how many. */
MZ_VECTOR static size_t push_candidates(mz_mutations *m, const mz__subject *o, const uint32_t *set,
                                        uint32_t location, mz__clock_function clock)
{
    const mz_execution *x = mz__execution_of(m);
    mz__set_of_events past, hidden;
    bool initial = true;
    size_t first = m->candidate_count;
    memset(past, 0, mz__width_of(m) * sizeof *past);
    memset(hidden, 0, mz__width_of(m) * sizeof *hidden);
    mz__join_past(m, o, past, clock);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE;
         r = x->records[r].previous_write) {
        uint32_t position = x->records[r].event;
        const mz_event *event = &x->events[position];
        if (!mz__is_in(set, event))
            continue;
        if (mz__is_in(past, event)) { /* it hides what is before it */
            initial = false;
            mz__set_of_events before;
            memcpy(before, clock(m, position), mz__width_of(m) * sizeof *before);
            before[event->thread]--;
            mz__join(m, hidden, before);
        }
        m->candidates =
            mz_grow(m->candidates, &m->candidate_capacity, m->candidate_count + 2, sizeof *m->candidates);
        m->candidates[m->candidate_count++] = position;
    }
    size_t kept = first;
    for (size_t i = first; i < m->candidate_count; i++)
        if (!mz__is_in(hidden, &x->events[m->candidates[i]]))
            m->candidates[kept++] = m->candidates[i];
    m->candidates = mz_grow(m->candidates, &m->candidate_capacity, kept + 1, sizeof *m->candidates);
    if (initial)
        m->candidates[kept++] = MZ_NONE;
    m->candidate_count = kept;
    return kept - first;
}

static void adopt_next(mz_mutations *m, const mz__subject *o, const uint32_t *set, uint32_t stage,
                       mz_expectation expected, mz_certainty is_default)
{
    m->adopt(m->search, &(mz_mutation){.order = m->realiser.order,
                                       .length = m->realiser.order_count,
                                       .unmoved = m->realiser.unmoved,
                                       .set = set,
                                       .before = set,
                                       .stage = stage,
                                       .count = 1,
                                       .threads = {o->thread},
                                       .expected = {expected},
                                       .is_default = is_default});
}

static void finish_next(mz_mutations *m, mz__subject *o, const uint32_t *set, uint32_t stage)
{
    const mz__subject *subjects[] = {o};
    if (mz__realise_subjects(m, set, subjects, 1)) {
        adopt_next(m, o, set, stage, MZ_WHATEVER, MZ_UNKNOWN);
    } else if (o->conditional) {
        mz__take_for_read(m, o);
        if (mz__realise_subjects(m, set, subjects, 1))
            adopt_next(m, o, set, stage, MZ_MUST_READ, MZ_UNKNOWN);
        mz__take_for_write(m, o);
    }
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
static size_t adopt_at_once(mz_mutations *m, mz__subject *o, const uint32_t *set, uint32_t stage, uint32_t i,
                            uint32_t last, size_t first)
{
    size_t left = first;
    mz_certainty is_default = MZ_YES; /* is the next one that is realised? */
    sort_candidates(m, first);
    for (size_t c = first; c < m->candidate_count; c++) {
        uint32_t candidate = o->writers[i] = m->candidates[c];
        if (candidate == last) {
            m->stages[mz__execution_of(m)->length] = mz_pivot_of(stage, is_default);
            if (is_default == MZ_NO)
                m->bent_stage = stage;
        } else if (mz__realise_at_once(m, set, o)) {
            adopt_next(m, o, set, stage, MZ_WHATEVER, is_default);
        } else {
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
static void choose_next(mz_mutations *m, mz__subject *o, const uint32_t *set, uint32_t stage, uint32_t i,
                        bool differs)
{
    const mz_execution *x = mz__execution_of(m);
    while (i < o->access_count && !mz__reads_loosely(m, o, i))
        i++;
    if (i == o->access_count) {
        if (differs)
            finish_next(m, o, set, stage);
        return;
    }
    uint32_t location = o->accesses[i].location, record = mz_location_now(x, location).last_write;
    uint32_t last = record == MZ_NONE ? MZ_NONE : x->records[record].event;
    size_t first = m->candidate_count, count = push_candidates(m, o, set, location, mz__observed);
    if (count <= FEW && o->access_count == 1) {
        count = adopt_at_once(m, o, set, stage, i, last, first);
    } else if (count > 2) { /* it pays to look closer */
        m->candidate_count = first;
        mz_realiser_saturate(mz__prepare_realiser(m, set, NULL, 0));
        count = push_candidates(m, o, set, location, saturated);
    }
    for (size_t c = 0; c < count; c++) {
        uint32_t candidate = m->candidates[first + c];
        o->writers[i] = candidate;
        choose_next(m, o, set, stage, i + 1, differs || candidate != last);
    }
    m->candidate_count = first;
}

/* A way of an operation that moves. */
static bool adopt_way(mz__ways *w)
{
    const mz_execution *x = mz__execution_of(w->m);
    const mz__subject *o = &w->operation;
    const uint32_t *stage = w->context;
    bool differs = false;
    for (uint32_t i = 0; i < o->access_count && !differs; i++) {
        uint32_t record = mz_location_now(x, o->accesses[i].location).last_write;
        uint32_t last = record == MZ_NONE ? MZ_NONE : x->records[record].event;
        differs = mz__reads_loosely(w->m, o, i) && o->writers[i] != last;
    }
    if (differs)
        adopt_next(w->m, o, w->set, *stage, MZ_WHATEVER, MZ_UNKNOWN);
    return false;
}

/* Is there just what was written last to be read, as it comes before the operation, and all else before it?
 */
static bool has_one_candidate(const mz_mutations *m, uint32_t thread, const mz_operation *pending)
{
    const mz_execution *x = mz__execution_of(m);
    if (pending->access_count != 1 || pending->dynamic)
        return false;
    uint32_t record = mz_location_now(x, pending->accesses[0].location).last_write;
    if (record == MZ_NONE)
        return true;
    uint32_t last = x->records[record].event, previous = x->positions[thread][x->thread_length[thread]];
    return m->observation.covers[last] && mz__is_in(mz__observed(m, previous), &x->events[last]);
}

void mz_mutate_next(mz_mutations *m, uint32_t thread, const mz_operation *pending, uint32_t stage)
{
    mz_search *s = m->search;
    mz_observation_follow(&m->observation, s->execution);
    if (has_one_candidate(m, thread, pending)) {
        m->stages[s->execution->length] = mz_pivot_of(stage, MZ_YES);
        return;
    }
    mz__make_room_for_subjects(m, pending->access_count);
    mz__subject o = mz__subject_pending(m, MZ__OF_PIVOT, pending, thread);
    mz__set_of_events set;
    memset(set, 0, mz__width_of(m) * sizeof *set);
    memcpy(set, s->execution->thread_length, s->execution->thread_capacity * sizeof *set);
    if (!o.moves) {
        choose_next(m, &o, set, stage, 0, false);
        return;
    }
    mz_cause causes[MZ_MAX_THREADS]; /* the machine reuses its own */
    mz__copy_causes(&o, causes);
    mz__walk_ways(&(mz__ways){
        .m = m, .slot = MZ__OF_PIVOT, .operation = o, .set = set, .is_enough = adopt_way, .context = &stage});
    mz_search_return_to(s, s->execution->length); /* the machine has been asked */
}
