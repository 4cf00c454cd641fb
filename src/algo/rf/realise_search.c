/* Step 5 of realising: searching for a sequence, from its beginning.
 *
 * After some events, no more need be known than which ones: a write can follow if every read of the write
 * before it is among them. Reads, and writes that nobody reads, go first wherever they can, because they are
 * in nobody's way. What is left to decide is which of the writes that are read goes first. Sets of events
 * from which there is no way on are remembered: there are at most as many as there are tuples of numbers of
 * events, one for each thread. */
#include "algo/rf/realise_internal.h"

static bool can_be_placed(const mz_realiser *r, uint32_t node)
{
    const mz_realise_node *n = &r->nodes[node];
    const uint32_t *clock = mz__clock_of(r, node);
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
    mz__add_to_order(r, node);
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

bool mz__find_sequence(mz_realiser *r)
{
    mz__begin_order(r);
    mz_hash_set_clear(&r->dead_ends);
    if (!search(r))
        return false;
    for (size_t i = 0; i < r->order_count; i++)
        r->order[i] = r->items[r->order[i]];
    mz__end_order(r);
    return true;
}
