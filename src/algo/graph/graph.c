#include "algo/graph/graph.h"

#include <string.h>

#include "base/memory.h"

void mz__graph_init(mz__graph *g, uint32_t threads)
{
    *g = (mz__graph){.threads = threads};
    g->last = mz_allocate_zeroed(threads, sizeof *g->last);
    for (uint32_t t = 0; t < threads; t++)
        g->last[t] = MZ__NO_EVENT;
}

void mz__graph_release(mz__graph *g)
{
    mz_release(g->events);
    mz_release(g->steps);
    mz_release(g->slots);
    mz_release(g->last);
    mz_release(g->clocks);
    mz_release(g->saved);
    mz_release(g->saved_clocks);
}

void mz__graph_reserve(mz__graph *g, size_t events, size_t steps, size_t slots)
{
    size_t clocks = events * MZ__CLOCKS * g->threads;
    g->events = mz_grow(g->events, &g->event_capacity, events, sizeof *g->events);
    g->steps = mz_grow(g->steps, &g->step_capacity, steps, sizeof *g->steps);
    g->slots = mz_grow(g->slots, &g->slot_capacity, slots, sizeof *g->slots);
    g->clocks = mz_grow(g->clocks, &g->clock_capacity, clocks, sizeof *g->clocks);
}

void mz__graph_copy(mz__graph *to, const mz__graph *from)
{
    mz__graph_reserve(to, from->count + 2, from->step_count + 1, from->slot_count);
    to->count = from->count;
    to->step_count = from->step_count;
    to->slot_count = from->slot_count;
    to->saved_count = 0;
    memcpy(to->last, from->last, from->threads * sizeof *to->last);
    if (from->count > 0) {
        memcpy(to->events, from->events, from->count * sizeof *to->events);
        memcpy(to->clocks, from->clocks, from->count * MZ__CLOCKS * from->threads * sizeof *to->clocks);
    }
    if (from->step_count > 0)
        memcpy(to->steps, from->steps, from->step_count * sizeof *to->steps);
    if (from->slot_count > 0)
        memcpy(to->slots, from->slots, from->slot_count * sizeof *to->slots);
}

/* ---- back --------------------------------------------------------------------------------------------- */

static void remove_from_mo(mz__graph *g, int32_t write)
{
    const mz__event *event = &g->events[write];
    if (event->older != MZ__INITIAL)
        g->events[event->older].newer = event->newer;
    if (event->newer != MZ__NO_EVENT)
        g->events[event->newer].older = event->older;
    else
        g->slots[event->slot].newest = event->older;
    for (int32_t w = event->newer; w != MZ__NO_EVENT; w = g->events[w].newer)
        g->events[w].rank--;
}

static size_t clock_size(const mz__graph *g)
{
    return MZ__CLOCKS * g->threads * sizeof *g->clocks;
}

static uint32_t *saved_clocks(const mz__graph *g, size_t at)
{
    return g->saved_clocks + at * MZ__CLOCKS * g->threads;
}

static void reserve_saved(mz__graph *g, size_t count)
{
    g->saved = mz_grow(g->saved, &g->saved_capacity, count, sizeof *g->saved);
    g->saved_clocks = mz_grow(g->saved_clocks, &g->saved_clock_capacity, count * MZ__CLOCKS * g->threads,
                              sizeof *g->saved_clocks);
}

mz__graph_mark mz__graph_mark_of(const mz__graph *g)
{
    return (mz__graph_mark){g->count, g->step_count, g->slot_count, g->saved_count};
}

void mz__graph_save(mz__graph *g, int32_t e)
{
    reserve_saved(g, g->saved_count + 1);
    g->saved[g->saved_count] = (mz__saved_event){e, g->events[e]};
    memcpy(saved_clocks(g, g->saved_count++), mz__clock_of(g, e, 0), clock_size(g));
}

/* Only reads are saved, which are in no order of writes. */
void mz__graph_take_back(mz__graph *g, const mz__graph_mark *mark)
{
    while (g->count > mark->count) {
        const mz__event *event = &g->events[--g->count];
        if (event->kind == MZ__W && event->older != MZ__NO_EVENT)
            remove_from_mo(g, (int32_t)g->count);
        g->last[event->thread] = event->before;
    }
    while (g->saved_count > mark->saved_count) {
        const mz__saved_event *saved = &g->saved[--g->saved_count];
        g->events[saved->event] = saved->was;
        memcpy(mz__clock_of(g, saved->event, 0), saved_clocks(g, g->saved_count), clock_size(g));
    }
    g->step_count = mark->step_count;
    g->slot_count = mark->slot_count;
}

void mz__graph_copy_with_past(mz__graph *to, const mz__graph *from)
{
    mz__graph_copy(to, from);
    reserve_saved(to, from->saved_count + 1);
    to->saved_count = from->saved_count;
    for (size_t i = 0; i < from->saved_count; i++) {
        to->saved[i] = from->saved[i];
        memcpy(saved_clocks(to, i), saved_clocks(from, i), clock_size(to));
    }
}

/* ---- clocks ------------------------------------------------------------------------------------------- */

static void join(const mz__graph *g, uint32_t *into, const uint32_t *clock)
{
    for (uint32_t t = 0; t < g->threads; t++)
        into[t] = clock[t] > into[t] ? clock[t] : into[t];
}

/* The last event that the thread's first operations are, up to this one. */
int32_t mz__event_of_cause(const mz__graph *g, mz_cause cause)
{
    int32_t e = g->last[cause.thread];
    while (e != MZ__NO_EVENT && (g->events[e].operation > cause.index || g->events[e].is_promised))
        e = g->events[e].before;
    return e;
}

/* All that comes before it by program order and by its causes. */
static void begin_clocks(mz__graph *g, int32_t e, const mz_cause *causes)
{
    const mz__event *event = &g->events[e];
    for (int which = 0; which < MZ__CLOCKS; which++) {
        uint32_t *clock = mz__clock_of(g, e, which);
        memset(clock, 0, g->threads * sizeof *clock);
        if (which == MZ__PUBLISHED)
            continue;
        if (event->before != MZ__NO_EVENT)
            join(g, clock, mz__clock_of(g, event->before, which));
        bool loose = event->is_loose && which == MZ__BY_HB;
        for (uint32_t i = 0; i < event->cause_count && !loose; i++) {
            int32_t cause = mz__event_of_cause(g, causes[event->first_cause + i]);
            if (cause != MZ__NO_EVENT)
                join(g, clock, mz__clock_of(g, cause, which));
        }
        clock[event->thread] = event->index + 1;
    }
}

/* The last writer before: it has acquired what others published before it. */
static void acquire_as_reader(mz__graph *g, int32_t read, int32_t write)
{
    while (write != MZ__INITIAL && (g->events[write].shares || !mz_releases(g->events[write].order)))
        write = g->events[write].older;
    if (write != MZ__INITIAL)
        join(g, mz__clock_of(g, read, MZ__BY_HB), mz__clock_of(g, write, MZ__BY_HB));
}

void mz__graph_set_from(mz__graph *g, int32_t read, int32_t write, const mz_cause *causes)
{
    mz__event *event = &g->events[read];
    begin_clocks(g, read, causes);
    event->from = write;
    if (write == MZ__INITIAL)
        return;
    join(g, mz__clock_of(g, read, MZ__BY_RF), mz__clock_of(g, write, MZ__BY_RF));
    if (!mz_acquires(event->order))
        return;
    if (event->shares)
        acquire_as_reader(g, read, write);
    else
        join(g, mz__clock_of(g, read, MZ__BY_HB), mz__clock_of(g, write, MZ__PUBLISHED));
}

/* A fence that acquires does so for all reads of its thread before it. Those before an earlier one have been
 * acquired there. */
void mz__graph_set_fence(mz__graph *g, int32_t fence, const mz_cause *causes)
{
    begin_clocks(g, fence, causes);
    if (!mz_acquires(g->events[fence].order))
        return;
    for (int32_t e = g->events[fence].before; e != MZ__NO_EVENT; e = g->events[e].before) {
        const mz__event *event = &g->events[e];
        if (event->kind == MZ__F && mz_acquires(event->order))
            return;
        if (event->kind == MZ__R && event->order != MZ_PLAIN && !event->is_object &&
            event->from != MZ__INITIAL)
            join(g, mz__clock_of(g, fence, MZ__BY_HB), mz__clock_of(g, event->from, MZ__PUBLISHED));
    }
}

void mz__graph_set_write(mz__graph *g, int32_t write, const mz_cause *causes)
{
    begin_clocks(g, write, causes);
}

/* What a write publishes: all that happens before it if it releases, otherwise what happens before the last
 * fence of its thread that does; and, if it is an update, what the write has published that it has read from:
 * it continues the release sequences of that one (those of C++20: updates only). */
static void publish(mz__graph *g, int32_t write)
{
    const mz__event *event = &g->events[write];
    uint32_t *clock = mz__clock_of(g, write, MZ__PUBLISHED);
    memset(clock, 0, g->threads * sizeof *clock);
    if (event->order == MZ_PLAIN)
        return;
    int32_t releases = mz_releases(event->order) ? write : event->is_object ? MZ__NO_EVENT : event->before;
    while (releases != MZ__NO_EVENT && releases != write &&
           !(g->events[releases].kind == MZ__F && mz_releases(g->events[releases].order)))
        releases = g->events[releases].before;
    if (releases != MZ__NO_EVENT)
        join(g, clock, mz__clock_of(g, releases, MZ__BY_HB));
    int32_t from = event->is_update ? g->events[event->before].from : MZ__INITIAL;
    if (from != MZ__INITIAL)
        join(g, clock, mz__clock_of(g, from, MZ__PUBLISHED));
}

/* ---- changes ------------------------------------------------------------------------------------------ */

int32_t mz__graph_add(mz__graph *g, const mz__event *event)
{
    int32_t e = (int32_t)g->count;
    mz__graph_reserve(g, g->count + 1, g->step_count + 1, g->slot_count);
    mz__event *added = &g->events[g->count++];
    *added = *event;
    added->before = g->last[event->thread];
    added->index = added->before == MZ__NO_EVENT ? 0 : g->events[added->before].index + 1;
    added->older = added->newer = MZ__NO_EVENT;
    g->last[event->thread] = e;
    while (event->kind != MZ__F && g->slot_count <= event->slot) {
        mz__graph_reserve(g, g->count, g->step_count, g->slot_count + 1);
        g->slots[g->slot_count++].newest = MZ__INITIAL;
    }
    return e;
}

void mz__graph_insert(mz__graph *g, int32_t write, int32_t older)
{
    mz__event *event = &g->events[write];
    int32_t newer = mz__newer(g, event->slot, older);
    event->older = older;
    event->newer = newer;
    event->rank = mz__rank(g, older) + 1;
    for (int32_t w = newer; w != MZ__NO_EVENT; w = g->events[w].newer)
        g->events[w].rank++;
    if (older != MZ__INITIAL)
        g->events[older].newer = write;
    if (newer != MZ__NO_EVENT)
        g->events[newer].older = write;
    else
        g->slots[event->slot].newest = write;
    publish(g, write);
}

static int32_t renumbered(const int32_t *number, int32_t e)
{
    return e < 0 ? e : number[e];
}

void mz__graph_keep(mz__graph *g, const bool *kept, int32_t *number)
{
    int32_t next = 0;
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        number[e] = kept[e] ? next++ : MZ__NO_EVENT;
        if (!kept[e] && g->events[e].kind == MZ__W)
            remove_from_mo(g, e);
    }
    for (uint32_t t = 0; t < g->threads; t++) {
        while (g->last[t] != MZ__NO_EVENT && !kept[g->last[t]])
            g->last[t] = g->events[g->last[t]].before;
        g->last[t] = renumbered(number, g->last[t]);
    }
    for (uint32_t i = 0; i < g->slot_count; i++)
        g->slots[i].newest = renumbered(number, g->slots[i].newest);
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        if (!kept[e])
            continue;
        mz__event *event = &g->events[number[e]];
        if (number[e] != e) {
            *event = g->events[e];
            memmove(mz__clock_of(g, number[e], 0), mz__clock_of(g, e, 0), clock_size(g));
        }
        event->before = renumbered(number, event->before);
        event->from = renumbered(number, event->from);
        event->older = renumbered(number, event->older);
        event->newer = renumbered(number, event->newer);
    }
    g->count = (uint32_t)next;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < g->step_count; i++)
        if (kept[g->steps[i].event]) {
            g->steps[steps] = g->steps[i];
            g->steps[steps++].event = number[g->steps[i].event];
        }
    g->step_count = steps;
}
