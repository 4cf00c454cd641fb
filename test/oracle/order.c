#include "oracle/order.h"

#include <string.h>

#include "base/memory.h"
#include "program/program.h"

typedef struct clock_row {
    uint32_t of[MZ_MAX_THREADS]; /* events of each thread */
} clock_row;

/* A state on the way. */
typedef struct state {
    uint32_t published[MZ_MAX_THREADS];             /* by each thread, so far */
    uint32_t events[MZ_MAX_THREADS];                /* of each thread, so far */
    uint32_t knows[MZ_MAX_THREADS][MZ_MAX_THREADS]; /* of what was published, by the program's own order */
    clock_row before[MZ_MAX_THREADS];               /* what comes before its next operation in any case */
} state;

static void join(clock_row *into, const clock_row *from)
{
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        if (into->of[t] < from->of[t])
            into->of[t] = from->of[t];
}

static void join_record(const mz_execution *x, clock_row *into, const clock_row *clocks, uint32_t record)
{
    if (record != MZ_NONE)
        join(into, &clocks[x->records[record].event]);
}

/* What an access comes after: all that conflicts with it, pair by pair, as classes have it. */
static void join_conflicts(const mz_execution *x, clock_row *into, const clock_row *clocks,
                           const mz_access_record *record)
{
    for (const mz_access_record *other = x->records; other < record; other++)
        if (mz_accesses_conflict(&other->access, 1, &record->access, 1))
            join(into, &clocks[other->event]);
}

/* The same without classes: the last write, and the reads since if it is one itself. Where executions are
 * equivalent that observe the same, only what it reads counts, unless the location is an ordered one. */
static void join_access(const mz_execution *x, clock_row *into, const clock_row *clocks,
                        const mz_access_record *record, const bool *ordered)
{
    bool all = !ordered || ordered[record->access.location];
    if (x->has_classes) {
        join_conflicts(x, into, clocks, record);
        return;
    }
    if (all || (record->access.kind & MZ_READ))
        join_record(x, into, clocks, record->previous_write);
    if (!all || !(record->access.kind & MZ_WRITE))
        return;
    for (uint32_t r = record->previous_read; r != MZ_NONE; r = x->records[r].previous_read)
        join_record(x, into, clocks, r);
}

static void join_cause(const mz_execution *x, clock_row *into, const clock_row *clocks, mz_cause cause)
{
    uint32_t position = mz_position_of(x, cause.thread, cause.index);
    if (position != MZ_NONE)
        join(into, &clocks[position]);
}

static clock_row *clocks_of(const mz_execution *x, const bool *ordered)
{
    clock_row *clocks = mz_allocate_zeroed(x->length + 1, sizeof *clocks);
    for (size_t i = 0; i < x->length; i++) {
        const mz_event *event = &x->events[i];
        if (event->previous != MZ_NONE)
            join(&clocks[i], &clocks[event->previous]);
        for (uint32_t c = 0; c < event->cause_count; c++)
            join_cause(x, &clocks[i], clocks, x->causes[event->first_cause + c]);
        for (uint32_t a = 0; a < event->access_count; a++)
            join_access(x, &clocks[i], clocks, &x->records[event->first_access + a], ordered);
        clocks[i].of[event->thread] = event->index;
    }
    return clocks;
}

/* After the first `depth` events. */
static void look_at_state(mz_search *search, size_t depth, const clock_row *clocks, state *s)
{
    mz_machine *machine = search->machine;
    const mz_execution *x = search->execution;
    mz_threads there = machine->status->ready | machine->status->blocked;
    for (size_t i = 0; i < depth; i++)
        s->events[x->events[i].thread] = x->events[i].index;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        s->published[t] = mz_native_knows(machine, t, t);
    MZ_FOR_EACH_THREAD(t, there)
    {
        mz_operation pending;
        machine->class->pending(machine, t, &pending);
        for (uint32_t c = 0; c < pending.cause_count; c++)
            join_cause(x, &s->before[t], clocks, pending.causes[c]);
        uint32_t last = s->events[t] ? mz_position_of(x, t, s->events[t]) : MZ_NONE;
        if (last != MZ_NONE)
            join(&s->before[t], &clocks[last]);
        for (uint32_t u = 0; u < x->thread_capacity; u++)
            s->knows[t][u] = mz_native_knows(machine, t, u);
    }
}

/* The event with which a thread has published so much: of its first ones, how many. What it has not published
 * by now is known by joining it alone: then all of them. */
static uint32_t published_by(const state *states, size_t depth, uint32_t thread, uint32_t count)
{
    for (size_t d = 0; d <= depth; d++)
        if (states[d].published[thread] > count)
            return states[d].events[thread];
    return states[depth].events[thread];
}

static void check_state(const mz_execution *x, const state *states, size_t depth, mz_text *out)
{
    const state *s = &states[depth];
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        for (uint32_t u = 0; u < x->thread_capacity && out->length == 0; u++) {
            uint32_t known = s->knows[t][u];
            uint32_t needed = u == t || known == 0 ? 0 : published_by(states, depth, u, known);
            if (needed > s->before[t].of[u])
                mz_text_add(out,
                            " order: after %zu events thread %u relies on event %u of thread %u, of which "
                            "only %u come before in any case\n",
                            depth, t, needed, u, s->before[t].of[u]);
        }
}

void order_check(mz_search *search, const bool *ordered, mz_text *out)
{
    const mz_execution *x = search->execution;
    size_t length = x->length;
    clock_row *clocks = clocks_of(x, ordered);
    state *states = mz_allocate_zeroed(length + 1, sizeof *states);
    for (size_t depth = 0; depth <= length; depth++) {
        mz_search_return_to(search, depth);
        look_at_state(search, depth, clocks, &states[depth]);
        check_state(x, states, depth, out);
    }
    mz_release(clocks);
    mz_release(states);
}
