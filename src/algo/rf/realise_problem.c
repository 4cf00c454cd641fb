/* The problem that steps 3 to 5 of realising solve: nodes, each with what comes before it, and what they do
 * to loose locations.
 *
 * What comes before an event is known from the observation. What comes before an addition is what must
 * precede it, and all before that; additions are the last nodes, so that those clocks are there. Conflicts on
 * strict locations are part of the clocks, which is why only loose locations are listed. They are numbered
 * anew, to keep short what has an entry for each. */
#include <string.h>

#include "algo/rf/realise_internal.h"
#include "base/vector.h"

static uint32_t node_of_item(const mz_realiser *r, uint32_t item)
{
    return item == MZ_NONE ? MZ_NONE : r->node_of[item];
}

static uint32_t number_of(mz_realiser *r, uint32_t location)
{
    size_t known = r->dense_capacity;
    r->dense = mz_grow(r->dense, &r->dense_capacity, (size_t)location + 1, sizeof *r->dense);
    if (r->dense_capacity > known)
        memset(r->dense + known, 0, (r->dense_capacity - known) * sizeof *r->dense);
    if (r->dense[location] == 0)
        r->dense[location] = (uint32_t)++r->loose_count;
    return r->dense[location] - 1;
}

static void add_touch(mz_realiser *r, uint32_t node, uint32_t item, uint32_t i)
{
    mz_access access = mz__access_of(r, item, i);
    mz_touch touch = {.node = node,
                      .location = number_of(r, access.location),
                      .reads = access.kind & MZ_READ,
                      .writes = access.kind & MZ_WRITE,
                      .writer = access.kind & MZ_READ ? node_of_item(r, mz__writer_of(r, item, i)) : MZ_NONE};
    r->touches = mz_grow(r->touches, &r->touch_capacity, r->touch_count + 1, sizeof *r->touches);
    r->touches[r->touch_count++] = touch;
    r->write_count += touch.writes;
}

static void clock_of_addition(mz_realiser *r, uint32_t node, uint32_t item)
{
    const mz_execution *x = r->execution;
    const mz_addition *a = &r->additions[item - x->length];
    uint32_t *clock = mz__clock_of(r, node), width = r->observation->width;
    memset(clock, 0, width * sizeof *clock);
    for (uint32_t other = 0; other < node; other++)
        if (mz__must_precede(r, r->items[other], item))
            mz_join_clock(clock, mz__clock_of(r, other), width);
    clock[a->thread] = r->set[a->thread] + 1;
}

static void add_node(mz_realiser *r, uint32_t item)
{
    uint32_t node = (uint32_t)r->node_count++, thread = mz__thread_of(r, item), width = r->observation->width;
    r->nodes = mz_grow(r->nodes, &r->node_capacity, r->node_count, sizeof *r->nodes);
    r->items = mz_grow(r->items, &r->item_capacity, r->node_count, sizeof *r->items);
    r->clocks = mz_grow(r->clocks, &r->clock_capacity, r->node_count * width, sizeof *r->clocks);
    r->node_of = mz_grow(r->node_of, &r->position_capacity, (size_t)item + 1, sizeof *r->node_of);
    r->nodes[node] = (mz_realise_node){thread, mz__index_of(r, item), (uint32_t)r->touch_count, 0};
    r->items[node] = item;
    r->node_of[item] = node;
    r->by_index[thread] = mz_grow(r->by_index[thread], &r->index_capacity[thread],
                                  (size_t)r->lengths[thread] + 1, sizeof **r->by_index);
    r->by_index[thread][r->lengths[thread]++] = node;
    if (mz__is_addition(r, item))
        clock_of_addition(r, node, item);
    else
        mz_copy_clock(mz__clock_of(r, node), mz_observed(r->observation, item), width);
    for (uint32_t i = 0; i < mz__access_count_of(r, item); i++)
        if (mz_is_loose(r->observation, mz__access_of(r, item, i).location))
            add_touch(r, node, item, i);
    r->nodes[node].touch_count = (uint32_t)r->touch_count - r->nodes[node].first_touch;
}

static mz_touch *write_touch(mz_realiser *r, uint32_t node, uint32_t location)
{
    mz_touch *touch = r->touches + r->nodes[node].first_touch;
    while (touch->location != location)
        touch++;
    return touch;
}

static void count_readers(mz_realiser *r)
{
    r->open = mz_grow(r->open, &r->open_capacity, r->loose_count + 1, sizeof *r->open);
    memset(r->open, 0, (r->loose_count + 1) * sizeof *r->open);
    for (size_t i = 0; i < r->touch_count; i++) {
        const mz_touch *touch = &r->touches[i];
        if (!touch->reads)
            continue;
        if (touch->writer == MZ_NONE)
            r->open[touch->location]++;
        else
            write_touch(r, touch->writer, touch->location)->readers++;
    }
}

/* For each location, thread by thread. */
static void list_writes(mz_realiser *r)
{
    size_t rooms = r->loose_count + 2;
    r->writes = mz_grow(r->writes, &r->write_capacity, r->write_count + 1, sizeof *r->writes);
    r->first_write = mz_grow(r->first_write, &r->first_write_capacity, rooms, sizeof *r->first_write);
    memset(r->first_write, 0, rooms * sizeof *r->first_write);
    for (size_t i = 0; i < r->touch_count; i++)
        r->first_write[r->touches[i].location + 2] += r->touches[i].writes;
    for (size_t i = 2; i < rooms; i++)
        r->first_write[i] += r->first_write[i - 1];
    /* first_write[location + 1] is where its next write goes, and where the next location begins in the end
     */
    for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++)
        for (uint32_t index = 0; index < r->lengths[thread]; index++) {
            uint32_t node = r->by_index[thread][index];
            const mz_touch *touches = r->touches + r->nodes[node].first_touch;
            for (uint32_t i = 0; i < r->nodes[node].touch_count; i++)
                if (touches[i].writes)
                    r->writes[r->first_write[touches[i].location + 1]++] =
                        (mz_realise_write){thread, index + 1, node};
        }
}

MZ_VECTOR void mz__set_up_problem(mz_realiser *r)
{
    r->node_count = r->touch_count = r->write_count = r->loose_count = 0;
    memset(r->lengths, 0, sizeof r->lengths);
    memset(r->placed, 0, sizeof r->placed);
    if (r->dense_capacity > 0)
        memset(r->dense, 0, r->dense_capacity * sizeof *r->dense);
    for (uint32_t position = 0; position < r->execution->length; position++)
        if (mz__is_in_set(r, position))
            add_node(r, position);
    for (uint32_t i = 0; i < r->addition_count; i++)
        add_node(r, (uint32_t)r->execution->length + i);
    count_readers(r);
    list_writes(r);
}
