#include "explore/realise.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

static bool is_in_set(const mz_realiser *r, uint32_t position)
{
    const mz_event *event = &r->execution->events[position];
    return event->index <= r->set[event->thread];
}

static void add_item(mz_realiser *r, uint32_t item)
{
    r->order = mz_grow(r->order, &r->order_capacity, r->order_count + 1, sizeof *r->order);
    r->order[r->order_count++] = item;
}

static bool is_addition(const mz_realiser *r, uint32_t item)
{
    return item >= r->execution->length;
}

static uint32_t item_of_writer(const mz_realiser *r, uint32_t writer)
{
    return writer == MZ_FIRST_ADDITION ? (uint32_t)r->execution->length : writer;
}

/* The accesses of an event or an addition. */
static uint32_t access_count(const mz_realiser *r, uint32_t item)
{
    return is_addition(r, item) ? r->additions[item - r->execution->length].access_count
                                : r->execution->events[item].access_count;
}

static mz_access access_of(const mz_realiser *r, uint32_t item, uint32_t i)
{
    const mz_execution *x = r->execution;
    return is_addition(r, item) ? r->additions[item - x->length].accesses[i]
                                : x->records[x->events[item].first_access + i].access;
}

/* The item that a loose read reads from, or MZ_NONE. */
static uint32_t writer_of(const mz_realiser *r, uint32_t item, uint32_t i)
{
    const mz_execution *x = r->execution;
    if (is_addition(r, item))
        return item_of_writer(r, r->additions[item - x->length].writers[i]);
    uint32_t record = x->records[x->events[item].first_access + i].previous_write;
    return record == MZ_NONE ? MZ_NONE : x->records[record].event;
}

static uint32_t thread_of(const mz_realiser *r, uint32_t item)
{
    return is_addition(r, item) ? r->additions[item - r->execution->length].thread
                                : r->execution->events[item].thread;
}

static uint32_t index_of(const mz_realiser *r, uint32_t item)
{
    return is_addition(r, item) ? r->set[thread_of(r, item)] + 1 : r->execution->events[item].index;
}

static bool conflicts_strictly(const mz_realiser *r, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < access_count(r, a); i++) {
        mz_access one = access_of(r, a, i);
        for (uint32_t j = 0; j < access_count(r, b) && !mz_is_loose(r->observation, one.location); j++) {
            mz_access other = access_of(r, b, j);
            if (mz_accesses_conflict(&one, 1, &other, 1))
                return true;
        }
    }
    return false;
}

/* ---- 1. inserting the additions -------------------------------------------------------------------------
 */

static bool is_cause(const mz_realiser *r, const mz_addition *a, uint32_t item)
{
    for (uint32_t i = 0; i < a->cause_count; i++)
        if (a->causes[i].thread == thread_of(r, item) && a->causes[i].index == index_of(r, item))
            return true;
    return false;
}

/* Must the item of the order come before the addition, whose first accesses are loose or strict? */
static bool must_precede(const mz_realiser *r, uint32_t item, uint32_t added)
{
    const mz_addition *a = &r->additions[added - r->execution->length];
    if (thread_of(r, item) == a->thread || is_cause(r, a, item) || conflicts_strictly(r, item, added))
        return true;
    for (uint32_t i = 0; i < a->access_count; i++)
        if (mz_is_loose_read(r->observation, a->accesses[i]) && writer_of(r, added, i) == item)
            return true;
    return false;
}

static bool writes_location(const mz_realiser *r, uint32_t item, uint32_t location)
{
    for (uint32_t i = 0; i < access_count(r, item); i++) {
        mz_access access = access_of(r, item, i);
        if (access.location == location && (access.kind & MZ_WRITE))
            return true;
    }
    return false;
}

/* The place of the writer of the loose read among the first `end` items, from 1; 0 for the initial value. */
static size_t place_of_writer(const mz_realiser *r, uint32_t added, uint32_t i, size_t end)
{
    uint32_t writer = writer_of(r, added, i);
    while (end > 0 && writer != MZ_NONE && r->order[end - 1] != writer)
        end--;
    return writer == MZ_NONE ? 0 : end;
}

/* Would the addition, inserted at this place, overwrite what a later item reads? */
static bool is_in_the_way(const mz_realiser *r, uint32_t added, size_t at)
{
    for (size_t later = at; later < r->order_count; later++) {
        uint32_t item = r->order[later];
        for (uint32_t i = 0; i < access_count(r, item); i++) {
            mz_access access = access_of(r, item, i);
            if (!mz_is_loose_read(r->observation, access) || !writes_location(r, added, access.location))
                continue;
            if (place_of_writer(r, item, i, later) <= at)
                return true;
        }
    }
    return false;
}

/* As late as nothing overwrites what it is to read. */
static bool insert(mz_realiser *r, uint32_t added)
{
    const mz_addition *a = &r->additions[added - r->execution->length];
    size_t latest = r->order_count, earliest = 0;
    for (uint32_t i = 0; i < a->access_count; i++)
        if (mz_is_loose_read(r->observation, a->accesses[i]))
            for (size_t at = place_of_writer(r, added, i, r->order_count); at < latest; at++)
                if (writes_location(r, r->order[at], a->accesses[i].location))
                    latest = at;
    for (size_t at = r->order_count; at > 0 && earliest == 0; at--)
        if (must_precede(r, r->order[at - 1], added))
            earliest = at;
    if (earliest > latest || is_in_the_way(r, added, latest))
        return false;
    add_item(r, added);
    memmove(r->order + latest + 1, r->order + latest, (r->order_count - 1 - latest) * sizeof *r->order);
    r->order[latest] = added;
    return true;
}

static void take_set(mz_realiser *r)
{
    r->order_count = 0;
    for (uint32_t position = 0; position < r->execution->length; position++)
        if (is_in_set(r, position))
            add_item(r, position);
}

static bool insert_all(mz_realiser *r)
{
    for (uint32_t i = 0; i < r->addition_count; i++)
        if (!insert(r, (uint32_t)r->execution->length + i))
            return false;
    return true;
}

/* ---- the problem ----------------------------------------------------------------------------------------
 */

static uint32_t *clock_of(const mz_realiser *r, uint32_t node)
{
    return r->clocks + (size_t)node * r->observation->width;
}

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
    mz_access access = access_of(r, item, i);
    mz_touch touch = {.node = node,
                      .location = number_of(r, access.location),
                      .reads = access.kind & MZ_READ,
                      .writes = access.kind & MZ_WRITE,
                      .writer = access.kind & MZ_READ ? node_of_item(r, writer_of(r, item, i)) : MZ_NONE};
    r->touches = mz_grow(r->touches, &r->touch_capacity, r->touch_count + 1, sizeof *r->touches);
    r->touches[r->touch_count++] = touch;
    r->write_count += touch.writes;
}

static void clock_of_addition(mz_realiser *r, uint32_t node, uint32_t item)
{
    const mz_execution *x = r->execution;
    const mz_addition *a = &r->additions[item - x->length];
    uint32_t *clock = clock_of(r, node), width = r->observation->width;
    memset(clock, 0, width * sizeof *clock);
    for (uint32_t other = 0; other < node; other++)
        if (must_precede(r, r->items[other], item))
            mz_join_clock(clock, clock_of(r, other), width);
    clock[a->thread] = r->set[a->thread] + 1;
}

static void add_node(mz_realiser *r, uint32_t item)
{
    uint32_t node = (uint32_t)r->node_count++, thread = thread_of(r, item), width = r->observation->width;
    r->nodes = mz_grow(r->nodes, &r->node_capacity, r->node_count, sizeof *r->nodes);
    r->items = mz_grow(r->items, &r->item_capacity, r->node_count, sizeof *r->items);
    r->clocks = mz_grow(r->clocks, &r->clock_capacity, r->node_count * width, sizeof *r->clocks);
    r->node_of = mz_grow(r->node_of, &r->position_capacity, (size_t)item + 1, sizeof *r->node_of);
    r->nodes[node] = (mz_realise_node){thread, index_of(r, item), (uint32_t)r->touch_count, 0};
    r->items[node] = item;
    r->node_of[item] = node;
    r->by_index[thread] = mz_grow(r->by_index[thread], &r->index_capacity[thread],
                                  (size_t)r->lengths[thread] + 1, sizeof **r->by_index);
    r->by_index[thread][r->lengths[thread]++] = node;
    if (is_addition(r, item))
        clock_of_addition(r, node, item);
    else
        mz_copy_clock(clock_of(r, node), mz_observed(r->observation, item), width);
    for (uint32_t i = 0; i < access_count(r, item); i++)
        if (mz_is_loose(r->observation, access_of(r, item, i).location))
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

static void set_up(mz_realiser *r)
{
    r->node_count = r->touch_count = r->write_count = r->loose_count = 0;
    memset(r->lengths, 0, sizeof r->lengths);
    memset(r->placed, 0, sizeof r->placed);
    if (r->dense_capacity > 0)
        memset(r->dense, 0, r->dense_capacity * sizeof *r->dense);
    for (uint32_t position = 0; position < r->execution->length; position++)
        if (is_in_set(r, position))
            add_node(r, position);
    for (uint32_t i = 0; i < r->addition_count; i++)
        add_node(r, (uint32_t)r->execution->length + i);
    count_readers(r);
    list_writes(r);
}

/* ---- 2. saturation --------------------------------------------------------------------------------------
 */

static bool is_before(const mz_realiser *r, uint32_t a, uint32_t b)
{
    return clock_of(r, b)[r->nodes[a].thread] >= r->nodes[a].index;
}

/* The first event of the thread that comes after the node or is it, as its index; lengths + 1 if none does.
 */
static uint32_t first_after(const mz_realiser *r, uint32_t node, uint32_t thread)
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
    mz_join_clock(clock_of(r, b), clock_of(r, a), width);
    for (r->work[count++] = b; count > 0;) {
        uint32_t node = r->work[--count];
        for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++) {
            uint32_t from =
                thread == r->nodes[node].thread ? r->nodes[node].index + 1 : first_after(r, node, thread);
            if (from > r->lengths[thread])
                continue;
            uint32_t later = r->by_index[thread][from - 1];
            if (!mz_clock_is_behind(clock_of(r, later), clock_of(r, node), width))
                continue;
            mz_join_clock(clock_of(r, later), clock_of(r, node), width);
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

/* … which is the first one after the node? */
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
    uint32_t before = end_of_first(r, first, end, clock_of(r, touch->node)[writes[first].thread]);
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

/* Where the writes of the first one's thread end. */
static uint32_t end_of_thread(const mz_realiser *r, uint32_t first, uint32_t end)
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
        next = end_of_thread(r, first, end);
        progress one = saturate_with(r, touch, first, next);
        if (one == CYCLE)
            return CYCLE;
        if (one == GROWN)
            result = GROWN;
    }
    return result;
}

static bool saturate(mz_realiser *r)
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

/* ---- 3. search ------------------------------------------------------------------------------------------
 */

static bool can_be_placed(const mz_realiser *r, uint32_t node)
{
    const mz_realise_node *n = &r->nodes[node];
    const uint32_t *clock = clock_of(r, node);
    for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++)
        if (thread != n->thread && clock[thread] > r->placed[thread])
            return false;
    for (uint32_t i = 0; i < n->touch_count; i++) {
        const mz_touch *touch = &r->touches[n->first_touch + i];
        if (touch->writes && r->open[touch->location] > touch->reads)
            return false;
    }
    return true;
}

/* It keeps nobody else from being placed. */
static bool is_harmless(const mz_realiser *r, uint32_t node)
{
    const mz_realise_node *n = &r->nodes[node];
    for (uint32_t i = 0; i < n->touch_count; i++)
        if (r->touches[n->first_touch + i].readers > 0)
            return false;
    return true;
}

static void place(mz_realiser *r, uint32_t node)
{
    const mz_realise_node *n = &r->nodes[node];
    for (uint32_t i = 0; i < n->touch_count; i++) {
        mz_touch *touch = &r->touches[n->first_touch + i];
        touch->open = r->open[touch->location];
        r->open[touch->location] = touch->writes ? touch->readers : touch->open - 1;
    }
    r->placed[n->thread]++;
    add_item(r, node);
}

static void take_back(mz_realiser *r, size_t count)
{
    while (r->order_count > count) {
        const mz_realise_node *n = &r->nodes[r->order[--r->order_count]];
        for (uint32_t i = 0; i < n->touch_count; i++) {
            const mz_touch *touch = &r->touches[n->first_touch + i];
            r->open[touch->location] = touch->open;
        }
        r->placed[n->thread]--;
    }
}

/* The thread's next node if it can be placed, or MZ_NONE. */
static uint32_t next_of(const mz_realiser *r, uint32_t thread)
{
    if (r->placed[thread] == r->lengths[thread])
        return MZ_NONE;
    uint32_t node = r->by_index[thread][r->placed[thread]];
    return can_be_placed(r, node) ? node : MZ_NONE;
}

static void place_harmless(mz_realiser *r)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++)
            for (uint32_t node; (node = next_of(r, thread)) != MZ_NONE && is_harmless(r, node); more = true)
                place(r, node);
    }
}

static mz_hash hash_placed(const mz_realiser *r)
{
    mz_hash hash = mz_hash_start(1);
    for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++)
        hash = mz_hash_add(hash, r->placed[thread]);
    return hash;
}

static bool search(mz_realiser *r)
{
    size_t begin = r->order_count;
    place_harmless(r);
    if (r->order_count == r->node_count)
        return true;
    mz_hash here = hash_placed(r);
    for (uint32_t thread = 0; !mz_hash_set_has(&r->dead_ends, here) && thread < r->execution->thread_capacity;
         thread++) {
        uint32_t node = next_of(r, thread);
        if (node == MZ_NONE)
            continue;
        size_t now = r->order_count;
        place(r, node);
        if (search(r))
            return true;
        take_back(r, now);
    }
    mz_hash_set_add(&r->dead_ends, here);
    take_back(r, begin);
    return false;
}

static bool find_sequence(mz_realiser *r)
{
    r->order_count = 0;
    mz_hash_set_clear(&r->dead_ends);
    if (!search(r))
        return false;
    for (size_t i = 0; i < r->order_count; i++)
        r->order[i] = r->items[r->order[i]];
    return true;
}

MZ_VECTOR void mz_realiser_saturate(mz_realiser *r)
{
    r->addition_count = 0;
    set_up(r);
    saturate(r);
}

const uint32_t *mz_saturated(const mz_realiser *r, uint32_t position)
{
    return clock_of(r, r->node_of[position]);
}

MZ_VECTOR bool mz_realise(mz_realiser *r)
{
    take_set(r);
    if (insert_all(r))
        return true;
    set_up(r);
    return saturate(r) && find_sequence(r);
}

void mz_realiser_release(mz_realiser *r)
{
    mz_release(r->order);
    mz_release(r->nodes);
    mz_release(r->clocks);
    mz_release(r->items);
    mz_release(r->touches);
    mz_release(r->writes);
    mz_release(r->node_of);
    for (uint32_t thread = 0; thread < MZ_MAX_THREADS; thread++)
        mz_release(r->by_index[thread]);
    mz_release(r->dense);
    mz_release(r->first_write);
    mz_release(r->open);
    mz_release(r->work);
    mz_hash_set_release(&r->dead_ends);
}
