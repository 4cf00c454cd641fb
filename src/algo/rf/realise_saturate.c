/* Step 3 of realising: what follows from the order and from what is read.
 *
 * Let r read from w, and w' be another write of the location. If w' is before r, it is before w; if w is
 * before w', r is before w'. The order, as clocks, grows by what follows from that until nothing does, or a
 * cycle shows that there is no sequence. Of the writes of a thread it is enough to look at the last one
 * before r and the first one after w: the others are ordered with these. */
#include "algo/rf/realise_internal.h"
#include "base/vector.h"

static bool is_before(const mz_realiser *r, uint32_t a, uint32_t b)
{
    return mz__clock_of(r, b)[r->nodes[a].thread] >= r->nodes[a].index;
}

uint32_t mz__first_after(const mz_realiser *r, uint32_t node, uint32_t thread)
{
    uint32_t low = 0, high = r->lengths[thread];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_before(r, node, r->by_index[thread][middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low + 1;
}

/* What is before a is to be before b and all that comes after it. */
static void put_before(mz_realiser *r, uint32_t a, uint32_t b)
{
    uint32_t width = r->observation->width;
    size_t count = 0;
    r->work = mz_grow(r->work, &r->work_capacity, r->node_count + 1, sizeof *r->work);
    mz_join_clock(mz__clock_of(r, b), mz__clock_of(r, a), width);
    for (r->work[count++] = b; count > 0;) {
        uint32_t node = r->work[--count];
        for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++) {
            uint32_t from =
                thread == r->nodes[node].thread ? r->nodes[node].index + 1 : mz__first_after(r, node, thread);
            if (from > r->lengths[thread])
                continue;
            uint32_t later = r->by_index[thread][from - 1];
            if (!mz_clock_is_behind(mz__clock_of(r, later), mz__clock_of(r, node), width))
                continue;
            mz_join_clock(mz__clock_of(r, later), mz__clock_of(r, node), width);
            r->work = mz_grow(r->work, &r->work_capacity, count + 1, sizeof *r->work);
            r->work[count++] = later;
        }
    }
}

typedef enum progress { NOTHING_NEW, GROWN, CYCLE } progress;

static progress order(mz_realiser *r, uint32_t a, uint32_t b)
{
    if (is_before(r, b, a))
        return CYCLE;
    if (is_before(r, a, b))
        return NOTHING_NEW;
    put_before(r, a, b);
    return GROWN;
}

/* Of the writes [first, end) of one thread: how many are among its first events, up to this index? */
static uint32_t end_of_first(const mz_realiser *r, uint32_t first, uint32_t end, uint32_t index)
{
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (r->writes[middle].index <= index)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* The first write after the node. */
static uint32_t first_write_after(const mz_realiser *r, uint32_t first, uint32_t end, uint32_t node)
{
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (is_before(r, node, r->writes[middle].node))
            end = middle;
        else
            first = middle + 1;
    }
    return first;
}

static bool is_part_of(const mz_touch *read, const mz_realise_write *write)
{
    return write->node == read->node || write->node == read->writer;
}

/* The read against the writes [first, end) of one thread. */
static progress saturate_with(mz_realiser *r, const mz_touch *touch, uint32_t first, uint32_t end)
{
    const mz_realise_write *writes = r->writes;
    progress result = NOTHING_NEW;
    uint32_t before = end_of_first(r, first, end, mz__clock_of(r, touch->node)[writes[first].thread]);
    while (before > first && is_part_of(touch, &writes[before - 1]))
        before--;
    if (before > first) {
        result = touch->writer == MZ_NONE ? CYCLE : order(r, writes[before - 1].node, touch->writer);
        if (result == CYCLE)
            return CYCLE;
    }
    uint32_t after = touch->writer == MZ_NONE ? first : first_write_after(r, first, end, touch->writer);
    while (after < end && is_part_of(touch, &writes[after]))
        after++;
    if (after == end)
        return result;
    progress other = order(r, touch->node, writes[after].node);
    return other == NOTHING_NEW ? result : other;
}

uint32_t mz__end_of_thread(const mz_realiser *r, uint32_t first, uint32_t end)
{
    uint32_t thread = r->writes[first].thread;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (r->writes[middle].thread <= thread)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static progress saturate_read(mz_realiser *r, const mz_touch *touch)
{
    progress result = NOTHING_NEW;
    uint32_t end = r->first_write[touch->location + 1];
    for (uint32_t first = r->first_write[touch->location], next; first < end; first = next) {
        next = mz__end_of_thread(r, first, end);
        progress one = saturate_with(r, touch, first, next);
        if (one == CYCLE)
            return CYCLE;
        if (one == GROWN)
            result = GROWN;
    }
    return result;
}

MZ_VECTOR bool mz__saturate(mz_realiser *r)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < r->touch_count; i++) {
            if (!r->touches[i].reads)
                continue;
            progress result = saturate_read(r, &r->touches[i]);
            if (result == CYCLE)
                return false;
            grows |= result == GROWN;
        }
    }
    return true;
}
