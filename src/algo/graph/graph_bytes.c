#include "algo/graph/graph_bytes.h"

#include "base/memory.h"

/* Numbers of events, MZ__INITIAL and MZ__NO_EVENT. */
enum { SHIFT = 2 };

static void write_number(int32_t event, mz_bytes *out)
{
    mz_bytes_add_number(out, (uint64_t)(event + SHIFT));
}

static int32_t read_number(mz_byte_reader *r, uint32_t count)
{
    return (int32_t)mz_read_number_to(r, (uint64_t)count + SHIFT - 1) - SHIFT;
}

/* Clocks have no other threads than these. */
static uint32_t threads_used(const mz__graph *g)
{
    uint32_t used = g->threads;
    while (used > 0 && g->last[used - 1] == MZ__NO_EVENT)
        used--;
    return used;
}

/* ---- events ------------------------------------------------------------------------------------------- */

/* One bit for each. */
#define FLAGS(X)                                                                                             \
    X(0, is_update)                                                                                          \
    X(1, is_lock)                                                                                            \
    X(2, is_object)                                                                                          \
    X(3, shares)                                                                                             \
    X(4, is_loose)                                                                                           \
    X(5, is_conditional)                                                                                     \
    X(6, is_promised)                                                                                        \
    X(7, has_choices)

static void write_event(const mz__event *event, const mz_cause *causes, mz_bytes *out)
{
    unsigned flags = 0;
#define X(bit, flag) flags |= (unsigned)event->flag << (bit);
    FLAGS(X)
#undef X
    mz_bytes_add_number(out, event->thread);
    mz_bytes_add_number(out, event->index);
    mz_bytes_add_number(out, event->operation);
    mz_bytes_add_number(out, event->kind == MZ__F ? 0 : event->slot);
    mz_bytes_add_number(out, event->kind);
    mz_bytes_add_number(out, event->order);
    mz_bytes_add_number(out, flags);
    write_number(event->before, out);
    write_number(event->kind == MZ__R ? event->from : MZ__NO_EVENT, out);
    write_number(event->older, out);
    write_number(event->newer, out);
    mz_bytes_add_number(out, event->cause_count);
    for (uint32_t i = 0; i < event->cause_count; i++) {
        mz_bytes_add_number(out, causes[event->first_cause + i].thread);
        mz_bytes_add_number(out, causes[event->first_cause + i].index);
    }
}

static void read_event(mz_byte_reader *r, const mz__graph *g, uint32_t count, uint32_t slots,
                       mz__event *event)
{
    *event = (mz__event){.thread = (uint32_t)mz_read_number_to(r, g->threads - 1)};
    event->index = (uint32_t)mz_read_number_to(r, count - 1);
    event->operation = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    event->slot = (uint32_t)mz_read_number_to(r, slots > 0 ? slots - 1 : 0);
    event->kind = (mz__event_kind)mz_read_number_to(r, MZ__F);
    event->order = (uint8_t)mz_read_number_to(r, UINT8_MAX);
    uint64_t flags = mz_read_number_to(r, UINT8_MAX);
#define X(bit, flag) event->flag = flags >> (bit)&1;
    FLAGS(X)
#undef X
    event->before = read_number(r, count);
    event->from = read_number(r, count);
    event->older = read_number(r, count);
    event->newer = read_number(r, count);
    event->cause_count = (uint32_t)mz_read_count(r);
    r->failed |= event->kind != MZ__F && slots == 0;
}

static void read_causes(mz_byte_reader *r, const mz__graph *g, mz__event *event, mz_cause **causes,
                        size_t *count, size_t *capacity)
{
    event->first_cause = (uint32_t)*count;
    *causes = mz_grow(*causes, capacity, *count + event->cause_count + 1, sizeof **causes);
    for (uint32_t i = 0; i < event->cause_count; i++) {
        mz_cause cause = {.thread = (uint32_t)mz_read_number_to(r, g->threads - 1)};
        cause.index = (uint32_t)mz_read_number_to(r, UINT32_MAX);
        (*causes)[(*count)++] = cause;
    }
}

/* ---- graphs ------------------------------------------------------------------------------------------- */

void mz__graph_write(const mz__graph *g, const mz_cause *causes, mz_bytes *out)
{
    uint32_t used = threads_used(g);
    mz_bytes_add_number(out, g->count);
    mz_bytes_add_number(out, g->slot_count);
    mz_bytes_add_number(out, g->step_count);
    mz_bytes_add_number(out, used);
    for (uint32_t e = 0; e < g->count; e++)
        write_event(&g->events[e], causes, out);
    for (uint32_t i = 0; i < g->slot_count; i++)
        write_number(g->slots[i].newest, out);
    for (uint32_t i = 0; i < g->step_count; i++) {
        write_number(g->steps[i].event, out);
        mz_bytes_add_number(out, g->steps[i].chooses);
        mz_bytes_add_number(out, g->steps[i].chooses ? g->steps[i].back : 0);
    }
    for (uint32_t t = 0; t < used; t++)
        write_number(g->last[t], out);
    for (uint32_t row = 0; row < g->count * MZ__CLOCKS; row++)
        for (uint32_t t = 0; t < used; t++)
            mz_bytes_add_number(out, g->clocks[(size_t)row * g->threads + t]);
}

static void read_steps(mz_byte_reader *r, mz__graph *g)
{
    for (uint32_t i = 0; i < g->step_count; i++) {
        mz__graph_step *step = &g->steps[i];
        *step = (mz__graph_step){.event = read_number(r, g->count)};
        step->chooses = mz_read_number_to(r, 1);
        step->back = (uint32_t)mz_read_number_to(r, g->count);
        r->failed |= step->event < 0;
        step->thread = step->event < 0 ? 0 : g->events[step->event].thread;
    }
}

static void read_clocks(mz_byte_reader *r, mz__graph *g, uint32_t used)
{
    for (uint32_t row = 0; row < g->count * MZ__CLOCKS; row++)
        for (uint32_t t = 0; t < g->threads; t++)
            g->clocks[(size_t)row * g->threads + t] = t < used ? (uint32_t)mz_read_number_to(r, g->count) : 0;
}

/* Program order and modification order go back in time, or to older writes, and come to an end. The ranks in
 * the latter follow. */
static bool has_ends(mz__graph *g)
{
    for (uint32_t e = 0; e < g->count; e++)
        if (g->events[e].before >= (int32_t)e)
            return false;
    for (uint32_t i = 0; i < g->slot_count; i++) {
        uint32_t length = 0;
        for (int32_t w = g->slots[i].newest; w >= 0; w = g->events[w].older) {
            if (g->events[w].kind != MZ__W || g->events[w].slot != i || length >= g->count)
                return false;
            length++;
        }
        for (int32_t w = g->slots[i].newest; w >= 0; w = g->events[w].older)
            g->events[w].rank = length--;
    }
    return true;
}

bool mz__graph_read(mz_byte_reader *r, mz__graph *g, mz_cause **causes, size_t *count, size_t *capacity)
{
    uint32_t events = (uint32_t)mz_read_count(r), slots = (uint32_t)mz_read_count(r);
    uint32_t steps = (uint32_t)mz_read_count(r), used = (uint32_t)mz_read_number_to(r, g->threads);
    if (r->failed)
        return false;
    mz__graph_reserve(g, events, steps, slots);
    g->count = events;
    g->slot_count = slots;
    g->step_count = steps;
    for (uint32_t e = 0; e < events; e++) {
        read_event(r, g, events, slots, &g->events[e]);
        read_causes(r, g, &g->events[e], causes, count, capacity);
    }
    for (uint32_t i = 0; i < slots; i++)
        g->slots[i].newest = read_number(r, events);
    read_steps(r, g);
    for (uint32_t t = 0; t < g->threads; t++)
        g->last[t] = t < used ? read_number(r, events) : MZ__NO_EVENT;
    read_clocks(r, g, used);
    return !r->failed && has_ends(g);
}
