/* Looking things up in the image of a plan (wire/plan_format.h). */
#ifndef MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_IMAGE_H
#define MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/operation.h"
#include "wire/plan_format.h"

static inline const mz_plan_thread *mz__thread_in(const mz_plan_image *plan, uint32_t number)
{
    return (const mz_plan_thread *)((const char *)plan + plan->threads) + number;
}

static inline const mz_plan_entry *mz__entries_in(const mz_plan_image *plan, const mz_plan_thread *thread)
{
    return (const mz_plan_entry *)((const char *)plan + plan->entries) + thread->first_entry;
}

static inline const mz_plan_wait *mz__waits_in(const mz_plan_image *plan, const mz_plan_entry *entry)
{
    return (const mz_plan_wait *)((const char *)plan + plan->waits) + entry->first_wait;
}

/* The thread's last event with a rank less than d; NULL: it has none. */
static inline const mz_plan_entry *mz__last_below(const mz_plan_image *plan, const mz_plan_thread *thread,
                                                  uint32_t d)
{
    const mz_plan_entry *entries = mz__entries_in(plan, thread);
    uint32_t low = 0, high = thread->entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entries[middle].rank < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &entries[low - 1] : NULL;
}

/* Which of the thread's events is the first with a greater count? */
static inline uint32_t mz__first_after(const mz_plan_image *plan, const mz_plan_thread *thread,
                                       uint32_t count)
{
    const mz_plan_entry *entries = mz__entries_in(plan, thread);
    uint32_t low = 0, high = thread->entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entries[middle].count <= count)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is this all of the thread that T has, and is it in the prefix? */
static inline bool mz__is_all_below(const mz_plan_image *plan, const mz_plan_thread *thread, uint32_t d)
{
    const mz_plan_entry *entries = mz__entries_in(plan, thread);
    return thread->entry_count == 0 || entries[thread->entry_count - 1].rank < d;
}

/* May the event operate on what is at that place (its distance from the image's beginning, whether or not it
 * is in it)? Objects are told apart by where they begin; data that atomic operations access is not longer
 * than this. */
static inline bool mz__may_touch(const mz_plan_entry *entry, uint64_t distance)
{
    enum { LONGEST_DATA = 16 };
    bool has_more_objects =
        entry->kind == MZ_OP_WAIT || entry->kind == MZ_OP_AWAIT || entry->kind == MZ_OP_ATOMIC;
    return has_more_objects || entry->place == MZ_PLAN_NO_PLACE || entry->place - distance < LONGEST_DATA ||
           distance - entry->place < LONGEST_DATA;
}

/* May one of the thread's events with a greater count and a rank less than d? */
static inline bool mz__may_be_touched(const mz_plan_image *plan, const mz_plan_thread *thread, uint32_t count,
                                      uint32_t d, uint64_t distance)
{
    const mz_plan_entry *entries = mz__entries_in(plan, thread);
    for (uint32_t i = mz__first_after(plan, thread, count); i < thread->entry_count && entries[i].rank < d;
         i++)
        if (mz__may_touch(&entries[i], distance))
            return true;
    return false;
}

#endif
