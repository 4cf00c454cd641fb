/* The ways in which an operation can happen whose locations depend on what it reads.
 *
 * What it touches is known from what it has read: an operation's accesses happen one after the other, and
 * which comes next depends on the values so far (machine.h). So it is asked access by access. Some of its
 * reads are *known*: a sequence is realised in which it reads what they say, if there is one, and the machine
 * tells what it would touch there, as far as the known reads decide it, and so the next read. If that is
 * strict, its value follows from the events of the set, and the operation has to come after all of them that
 * write there; if it is loose, every candidate is tried. When all reads are known, so is the footprint, and
 * it is a way if there is a sequence with the writes, too. As each sequence without the last reads, or the
 * writes, is one for the rest, nothing is left out. Two ways differ in what they read from: no way is met
 * twice.
 *
 * Candidates come in the order of algo/rf/rf.c, so that the first way is the default. */
#include <string.h>

#include "algo/rf/mutations_internal.h"
#include "base/memory.h"

static bool go_on(mz__ways *w);

static bool realise(mz__ways *w, const mz__subject *operation)
{
    const mz__subject *subjects[MZ_MOST_ADDITIONS] = {w->before, operation};
    return w->before ? mz__realise_subjects(w->m, w->set, subjects, 2)
                     : mz__realise_subjects(w->m, w->set, subjects + 1, 1);
}

static uint32_t item_of_operation(const mz__ways *w)
{
    return (uint32_t)mz__execution_of(w->m)->length + (w->before ? 1 : 0);
}

/* ---- what is known --------------------------------------------------------------------------------------
 */

static void make_room(mz_footprint_room *room, size_t count)
{
    room->accesses = mz_grow(room->accesses, &room->access_capacity, count, sizeof *room->accesses);
    room->writers = mz_grow(room->writers, &room->writer_capacity, count, sizeof *room->writers);
}

static void add_known(mz_footprint_room *known, uint32_t location, uint32_t writer)
{
    make_room(known, known->count + 1);
    known->accesses[known->count] = (mz_access){location, MZ_READ};
    known->writers[known->count++] = writer;
}

static uint32_t place_among(const mz_footprint_room *known, uint32_t location)
{
    uint32_t i = 0;
    while (i < known->count && known->accesses[i].location != location)
        i++;
    return i;
}

/* ---- candidates -----------------------------------------------------------------------------------------
 */

static bool writes(const mz__subject *o, uint32_t location)
{
    for (uint32_t i = 0; o && i < o->access_count; i++)
        if (o->accesses[i].location == location && (o->accesses[i].kind & MZ_WRITE))
            return true;
    return false;
}

static void push_candidate(mz_mutations *m, uint32_t position)
{
    m->candidates =
        mz_grow(m->candidates, &m->candidate_capacity, m->candidate_count + 1, sizeof *m->candidates);
    m->candidates[m->candidate_count++] = position;
}

/* Those from the first one on are in order but for the last one. */
static void sort_last_in(mz_mutations *m, size_t first)
{
    size_t at = m->candidate_count - 1;
    uint32_t position = m->candidates[at];
    for (; at > first && mz__comes_first(mz__execution_of(m), position, m->candidates[at - 1]); at--)
        m->candidates[at] = m->candidates[at - 1];
    m->candidates[at] = position;
}

/* What comes before the operation, as far as is known. */
static void find_past(const mz__ways *w, uint32_t *past)
{
    const mz_footprint_room *known = &w->m->known[w->slot];
    mz__join_past(w->m, &w->operation, past, mz__observed);
    for (uint32_t i = 0; i < known->count; i++)
        if (known->writers[i] != MZ_NONE && known->writers[i] != MZ_FIRST_ADDITION)
            mz__join(w->m, past, mz__observed(w->m, known->writers[i]));
}

/* The writes of the set, but for those that another one hides which comes before the operation; nothing may
 * do so if it is to read the initial value. */
static void push_candidates(mz__ways *w, uint32_t location)
{
    mz_mutations *m = w->m;
    const mz_execution *x = mz__execution_of(m);
    size_t first = m->candidate_count;
    mz__set_of_events past = {0}, hidden = {0};
    bool initial = true;
    find_past(w, past);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE;
         r = x->records[r].previous_write) {
        const mz_event *event = &x->events[x->records[r].event];
        if (!mz__is_in(past, event))
            continue;
        mz__set_of_events before;
        memcpy(before, mz__observed(m, x->records[r].event), mz__width_of(m) * sizeof *before);
        before[event->thread]--;
        mz__join(m, hidden, before);
        initial = false;
    }
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE; r = x->records[r].previous_write)
        if (mz__is_in(w->set, &x->events[x->records[r].event]) &&
            !mz__is_in(hidden, &x->events[x->records[r].event])) {
            push_candidate(m, x->records[r].event);
            sort_last_in(m, first);
        }
    if (initial)
        push_candidate(m, MZ_NONE);
    if (writes(w->before, location))
        push_candidate(m, MZ_FIRST_ADDITION);
}

static bool read_loosely(mz__ways *w, uint32_t location)
{
    mz_mutations *m = w->m;
    mz_footprint_room *known = &m->known[w->slot];
    size_t first = m->candidate_count;
    bool ended = false;
    push_candidates(w, location);
    for (size_t c = first, end = m->candidate_count; c < end && !ended; c++) {
        add_known(known, location, m->candidates[c]);
        ended = go_on(w);
        known->count--;
    }
    m->candidate_count = first;
    return ended;
}

/* ---- the walk -------------------------------------------------------------------------------------------
 */

static mz_operation ask(mz__ways *w)
{
    mz_search *s = w->m->search;
    mz_operation pending;
    mz__run_realised(w->m, w->before, item_of_operation(w));
    s->machine->class->pending(s->machine, w->operation.thread, &pending);
    mz_observation_note_waiting(&w->m->observation, &pending);
    w->is_ready = mz_threads_has(s->machine->status->ready, w->operation.thread);
    if (w->see)
        w->see(w, &pending);
    return pending;
}

/* All that it reads is known. */
static bool finish(mz__ways *w, const mz_operation *pending)
{
    mz_mutations *m = w->m;
    const mz_footprint_room *known = &m->known[w->slot];
    mz_footprint_room *whole = &m->whole[w->slot];
    if (!w->is_enough)
        return false;
    make_room(whole, pending->access_count + 1);
    for (uint32_t i = 0; i < pending->access_count; i++) {
        mz_access access = whole->accesses[i] = pending->accesses[i];
        uint32_t at = place_among(known, access.location);
        whole->writers[i] = at < known->count ? known->writers[at] : MZ_NONE;
    }
    w->operation.access_count = pending->access_count;
    w->operation.accesses = whole->accesses;
    w->operation.writers = whole->writers;
    return (!w->is_ready || realise(w, &w->operation)) && w->is_enough(w);
}

/* Beyond the known reads. What is added to them is taken away again. */
static bool go_on_with(mz__ways *w, const mz_operation *pending)
{
    mz_mutations *m = w->m;
    mz_footprint_room *known = &m->known[w->slot];
    bool is_last = m->realiser.order[m->realiser.order_count - 1] == item_of_operation(w);
    for (uint32_t i = 0; i < pending->access_count; i++) {
        mz_access access = pending->accesses[i];
        if (!(access.kind & MZ_READ) || place_among(known, access.location) < known->count)
            continue;
        if (mz_is_loose(&m->observation, access.location))
            return read_loosely(w, access.location);
        add_known(known, access.location, MZ_NONE);
        if (!is_last) /* it may stand before something that it has to come after */
            return go_on(w);
    }
    return finish(w, pending);
}

static bool go_on(mz__ways *w)
{
    mz_footprint_room *known = &w->m->known[w->slot];
    mz__subject part = w->operation;
    uint32_t count = known->count;
    make_room(known, count + 1);
    part.access_count = count;
    part.accesses = known->accesses;
    part.writers = known->writers;
    if (!realise(w, &part))
        return false;
    mz_operation pending = ask(w);
    bool ended = go_on_with(w, &pending);
    known->count = count;
    return ended;
}

bool mz__walk_ways(mz__ways *w)
{
    w->m->known[w->slot].count = 0;
    return go_on(w);
}

void mz__release_ways(mz_mutations *m)
{
    for (int slot = 0; slot < MZ_SUBJECTS; slot++) {
        mz_release(m->known[slot].accesses);
        mz_release(m->known[slot].writers);
        mz_release(m->whole[slot].accesses);
        mz_release(m->whole[slot].writers);
    }
}
