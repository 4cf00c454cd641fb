/* Pairs of a pivot e and an x that is to come before it, where nothing can be chosen: no operation touches
 * more than one location, or reads what it writes if that is loose. Most programs are like that, and then few
 * pairs have to be looked at.
 *
 * All that is kept, for E to be the parent, is of the stages up to that of x then. So x is of the last stage
 * with a bend, or a later one: a bend in a later one would have to be kept, or, if it is a pivot that does
 * not read the default, to be it nevertheless. And if x is part of a detour, it is the last event of its
 * thread there. On strict locations, the pairs of which x directly comes after e have been met when the
 * execution was followed (mz_meeting). */
#include "algo/rf/mutations_internal.h"

/* ---- plain operations -----------------------------------------------------------------------------------
 */

/* Does it just read, or just write, and come after others because of that alone? */
static bool is_plain(const mz_execution *x, const mz_event *event)
{
    if (event->access_count != 1 || event->cause_count > 0 || event->blocking || event->dynamic ||
        event->conditional)
        return false;
    uint32_t kind = x->records[event->first_access].access.kind;
    return kind == MZ_READ || kind == MZ_WRITE;
}

/* Is nothing that e comes after, and that is not in the state before its stage, of a higher thread than x? */
static bool has_lower_detour(const mz_mutations *m, uint32_t e, const uint32_t *state, uint32_t thread)
{
    const mz_execution *x = mz__execution_of(m);
    const uint32_t *clock = mz__observed(m, e);
    for (uint32_t t = thread + 1; t < x->thread_capacity; t++)
        if (clock[t] > state[t] && t != x->events[e].thread)
            return false;
    return true;
}

static void adopt_plain_pair(mz_mutations *m, uint32_t e, uint32_t position, const uint32_t *state,
                             const uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    size_t kept = 0;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        kept += set[t];
    m->adopt(m->search, &(mz_mutation){.length = kept + 2,
                                       .unmoved = mz__first_left_out(m, set),
                                       .set = set,
                                       .before = state,
                                       .stage = mz_number_of(m->stages[e]),
                                       .count = 2,
                                       .threads = {x->events[position].thread, x->events[e].thread}});
}

/* Of two plain operations most of what decides about a pair (mutations_backward.c, mutations_parent.c) is
 * known. x does not read loosely, and e reads from x if it does: they fit behind all that is kept, as it
 * stands. If they are strict, that holds the pasts of both; if they are loose, that of x. So bends that are
 * before x are kept. False if more has to be looked at. */
MZ_INLINE bool try_plainly(mz_mutations *m, uint32_t e, uint32_t position, uint32_t width)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *pivot = &x->events[e], *event = &x->events[position];
    uint32_t stage = mz_number_of(m->stages[e]);
    bool loose = mz_is_loose(&m->observation, x->records[pivot->first_access].access.location);
    mz__set_of_events state, set, beginning;
    mz__find_state_before(m, e, state);
    if (!loose && !has_lower_detour(m, e, state, event->thread))
        return false;
    mz_copy_clock(set, state, width);
    mz_join_clock(set, mz__observed(m, event->previous), width);
    mz__join_strict_past(m, position, e, set, width);
    if (mz__is_in(set, pivot) || mz__is_in(set, event))
        return true;
    if (!loose)
        mz_join_clock(set, mz__observed(m, e), width);
    set[pivot->thread] = pivot->index - 1;
    m->search->statistics.race_checks++;
    mz_begin_clock(beginning, set, width, event->thread, event->index);
    beginning[pivot->thread] = pivot->index;
    if ((!loose ||
         (!mz_clock_is_behind(beginning, mz__observed(m, e), width) && mz__is_default(m, set, e))) &&
        mz__later_stages_are_default(m, stage, beginning))
        adopt_plain_pair(m, e, position, state, set);
    return true;
}

MZ_VECTOR static bool try_plain_pair(mz_mutations *m, uint32_t e, uint32_t position)
{
    return mz__width_of(m) == MZ_CLOCK_WIDTH ? try_plainly(m, e, position, MZ_CLOCK_WIDTH)
                                             : try_plainly(m, e, position, mz__width_of(m));
}

/* ---- any ------------------------------------------------------------------------------------------------
 */

static void try_pair(mz_mutations *m, uint32_t e, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    mz__attempt a;
    if (!mz__has_bends_behind(m, mz_number_of(m->stages[e]), position) ||
        mz_has_higher_choice(x, &x->events[e]) ||
        (is_plain(x, &x->events[e]) && is_plain(x, &x->events[position]) && try_plain_pair(m, e, position)) ||
        !mz__begin_attempt(m, e, &a))
        return;
    a.x = mz__subject_of_event(m, MZ__OF_X, position);
    a.x_event = position;
    mz__try_attempt(m, &a);
}

/* x writes a loose location, and e reads it. All that stands before what is not in the past of x is in it. */
static void try_readers(mz_mutations *m, uint32_t position, const mz_event *event, uint32_t location)
{
    const mz_execution *x = mz__execution_of(m);
    const uint32_t *past = mz__observed(m, event->previous);
    uint32_t first = mz__first_left_out(m, past);
    for (size_t i = m->observation.reader_count; i > 0 && m->observation.readers[i - 1].position >= first;
         i--) {
        uint32_t e = m->observation.readers[i - 1].position;
        const mz_event *pivot = &x->events[e];
        if (m->observation.readers[i - 1].location == location && pivot->thread != event->thread &&
            mz_is_pivot(m->stages[e]) && m->stages[e] < m->stages[position] &&
            pivot->index > past[pivot->thread] && mz__observed(m, e)[event->thread] < event->index)
            try_pair(m, e, position);
    }
}

/* x does something else than to read or write one strict location. */
static void look_closer(mz_mutations *m, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    const mz_access_record *record = &x->records[event->first_access];
    if (event->access_count == 0)
        return;
    if (mz_has_higher_choice(x, event))
        ;
    else if (!mz_is_loose(&m->observation, record->access.location))
        mz__try_directly_before(m, position);
    else if (record->access.kind == MZ_WRITE)
        try_readers(m, position, event, record->access.location);
    if (event->blocking) {
        mz__subject waiting = mz__subject_of_event(m, MZ__OF_X, position);
        mz__try_waiting(m, &waiting, record->previous_write);
    }
}

static void try_meeting(mz_mutations *m, const mz_meeting *meeting)
{
    const mz_execution *x = mz__execution_of(m);
    if (meeting->before == MZ_NONE)
        look_closer(m, meeting->position);
    else if (mz_is_pivot(m->stages[meeting->before]) &&
             !mz_has_higher_choice(x, &x->events[meeting->position]))
        try_pair(m, meeting->before, meeting->position);
}

/* Where the first pivot of the last stage with a bend, or a later one, can stand. */
static uint32_t first_pivot(const mz_mutations *m)
{
    if (m->bent_stage >= m->default_from)
        return mz__position_of_stage(m, m->bent_stage);
    return m->bent_stage + 1 == m->default_from ? m->given_pivot : 0;
}

/* Does the event belong to the last stage with a bend, whose detour this is, or a later one? */
static bool can_be_x(const mz_mutations *m, uint32_t position, mz_stage bent)
{
    mz_stage stage = m->stages[position];
    if (mz_is_pivot(stage))
        return stage > bent;
    const mz_event *event = &mz__execution_of(m)->events[position];
    return stage == bent && event->index == m->bends[event->thread].index;
}

static uint32_t first_bend(const mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t first = first_pivot(m);
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (m->bends[t].index > 0 && m->bends[t].stage == m->bent_stage &&
            x->positions[t][m->bends[t].index] < first)
            first = x->positions[t][m->bends[t].index];
    return first;
}

void mz__try_last(mz_mutations *m)
{
    const mz_observation *o = &m->observation;
    uint32_t first = first_bend(m);
    mz_stage bent = mz_detour_of(m->bent_stage);
    const mz_meeting *begin = o->meetings;
    for (const mz_meeting *next = begin + o->meeting_count; next > begin && next[-1].position >= first;
         next--)
        if (can_be_x(m, next[-1].position, bent))
            try_meeting(m, &next[-1]);
}
