/* What the steps of realising (algo/rf/realise.h) share.
 *
 * An *item* is an event of the execution, as its position, or the i-th addition, as the execution's length +
 * i. A *node* is an item in the problem that steps 3 to 5 solve, numbered anew. */
#ifndef MZ_ALGO_RF_REALISE_INTERNAL_H
#define MZ_ALGO_RF_REALISE_INTERNAL_H

#include "algo/rf/realise.h"
#include "base/memory.h"

/* realise_insert.c: must the item come before the addition? */
bool mz__must_precede(const mz_realiser *realiser, uint32_t item, uint32_t added);
/* The events of the set, in the order of the execution. */
void mz__take_set(mz_realiser *realiser);
/* Step 1. False says nothing. */
bool mz__insert_additions(mz_realiser *realiser);

/* realise_defer.c: step 2. False says nothing. */
bool mz__defer_some(mz_realiser *realiser);

/* realise_problem.c */
void mz__set_up_problem(mz_realiser *realiser);

/* realise_saturate.c: step 3. False: there is no sequence. */
bool mz__saturate(mz_realiser *realiser);
/* The first event of the thread that comes after the node or is it, as its index; lengths + 1 if none does.
 */
uint32_t mz__first_after(const mz_realiser *realiser, uint32_t node, uint32_t thread);
/* Of the writes [first, end), where do those of the first one's thread end? */
uint32_t mz__end_of_thread(const mz_realiser *realiser, uint32_t first, uint32_t end);

/* realise_threads.c: step 4. False says nothing. */
bool mz__place_by_leaders(mz_realiser *realiser);

/* realise_search.c: step 5. Is there a sequence? */
bool mz__find_sequence(mz_realiser *realiser);

static inline bool mz__is_in_set(const mz_realiser *r, uint32_t position)
{
    const mz_event *event = &r->execution->events[position];
    return event->index <= r->set[event->thread];
}

/* The result is written anew. */
static inline void mz__begin_order(mz_realiser *r)
{
    r->order_count = r->unmoved = r->counted = 0;
}

/* It has been written: which of the first events stand where they did? */
static inline void mz__end_order(mz_realiser *r)
{
    while (r->unmoved < r->order_count && r->order[r->unmoved] == r->unmoved)
        r->unmoved++;
    r->counted = r->unmoved;
}

/* The result begins with so many events that stay where they are; the numbers of most of them are there from
 * the last time. */
static inline void mz__keep_places(mz_realiser *r, size_t count)
{
    r->order =
        mz_grow(r->order, &r->order_capacity, r->execution->length + r->addition_count, sizeof *r->order);
    for (; r->counted < count; r->counted++)
        r->order[r->counted] = (uint32_t)r->counted;
    r->counted = r->unmoved = r->order_count = count;
}

static inline void mz__add_to_order(mz_realiser *r, uint32_t item)
{
    r->order = mz_grow(r->order, &r->order_capacity, r->order_count + 1, sizeof *r->order);
    r->order[r->order_count++] = item;
}

static inline bool mz__is_addition(const mz_realiser *r, uint32_t item)
{
    return item >= r->execution->length;
}

static inline uint32_t mz__item_of_writer(const mz_realiser *r, uint32_t writer)
{
    return writer == MZ_FIRST_ADDITION ? (uint32_t)r->execution->length : writer;
}

/* The accesses of an event or an addition. */
static inline uint32_t mz__access_count_of(const mz_realiser *r, uint32_t item)
{
    return mz__is_addition(r, item) ? r->additions[item - r->execution->length].access_count
                                    : r->execution->events[item].access_count;
}

static inline mz_access mz__access_of(const mz_realiser *r, uint32_t item, uint32_t i)
{
    const mz_execution *x = r->execution;
    return mz__is_addition(r, item) ? r->additions[item - x->length].accesses[i]
                                    : x->records[x->events[item].first_access + i].access;
}

/* The item that a loose read reads from, or MZ_NONE. */
static inline uint32_t mz__writer_of(const mz_realiser *r, uint32_t item, uint32_t i)
{
    const mz_execution *x = r->execution;
    if (mz__is_addition(r, item))
        return mz__item_of_writer(r, r->additions[item - x->length].writers[i]);
    uint32_t record = x->records[x->events[item].first_access + i].previous_write;
    return record == MZ_NONE ? MZ_NONE : x->records[record].event;
}

static inline bool mz__writes_location(const mz_realiser *r, uint32_t item, uint32_t location)
{
    for (uint32_t i = 0; i < mz__access_count_of(r, item); i++) {
        mz_access access = mz__access_of(r, item, i);
        if (access.location == location && (access.kind & MZ_WRITE))
            return true;
    }
    return false;
}

static inline uint32_t mz__thread_of(const mz_realiser *r, uint32_t item)
{
    return mz__is_addition(r, item) ? r->additions[item - r->execution->length].thread
                                    : r->execution->events[item].thread;
}

static inline uint32_t mz__index_of(const mz_realiser *r, uint32_t item)
{
    return mz__is_addition(r, item) ? r->set[mz__thread_of(r, item)] + 1 : r->execution->events[item].index;
}

/* What comes before the node or equals it, as far as is known. */
static inline uint32_t *mz__clock_of(const mz_realiser *r, uint32_t node)
{
    return r->clocks + (size_t)node * r->observation->width;
}

#endif
