/* The image of a plan: see wire/plan_format.h. */
#include <string.h>

#include "base/memory.h"
#include "safe/plan/plan.h"

typedef struct layout {
    uint64_t threads, entries, waits, bytes;
} layout;

/* What has to be aligned most comes first. */
static layout layout_of(const mz_plan *plan)
{
    layout l;
    l.entries = sizeof(mz_plan_image);
    l.waits = l.entries + plan->event_count * sizeof(mz_plan_entry);
    l.threads = l.waits + plan->wait_count * sizeof(mz_plan_wait);
    l.bytes = l.threads + plan->thread_count * sizeof(mz_plan_thread);
    return l;
}

size_t mz_plan_image_bytes(const mz_plan *plan)
{
    return layout_of(plan).bytes;
}

/* Each thread's entries are one piece: first how many there are, then where they go. */
static void fill_threads(const mz_plan *plan, mz_plan_thread *threads)
{
    for (uint32_t t = 0; t < plan->thread_count; t++)
        threads[t] = (mz_plan_thread){.parent = plan->threads[t].parent,
                                      .child = plan->threads[t].child,
                                      .ends = plan->edges_only ? 0 : plan->threads[t].ends};
    for (size_t i = 0; i < plan->event_count; i++)
        threads[plan->events[i].thread].entry_count++;
    for (uint32_t t = 1; t < plan->thread_count; t++)
        threads[t].first_entry = threads[t - 1].first_entry + threads[t - 1].entry_count;
}

static void fill_entries(const mz_plan *plan, const mz_plan_thread *threads, mz_plan_entry *entries)
{
    uint32_t next[MZ_PLAN_MOST_THREADS];
    for (uint32_t t = 0; t < plan->thread_count; t++)
        next[t] = threads[t].first_entry;
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        entries[next[e->thread]++] = (mz_plan_entry){
            .count = e->count,
            .rank = (uint32_t)i,
            .kind = e->kind,
            .picks = e->picks,
            .place = e->place == MZ_PLAN_NOWHERE ? MZ_PLAN_NO_PLACE : e->place,
            .first_wait = e->first_wait,
            .wait_count = e->wait_count,
        };
    }
}

void mz_plan_image_fill(const mz_plan *plan, uint32_t flags, void *memory)
{
    layout l = layout_of(plan);
    mz_plan_image *image = memory;
    *image = (mz_plan_image){
        .magic = MZ_PLAN_IMAGE_MAGIC,
        .flags = flags | (plan->counts_accesses ? MZ_PLAN_COUNTS_ACCESSES : 0u) |
                 (plan->needs_fences ? MZ_PLAN_NEEDS_FENCES : 0u) |
                 (plan->edges_only ? MZ_PLAN_EDGES_ONLY : 0u) | (plan->iterations ? MZ_PLAN_ITERATIONS : 0u),
        .thread_count = plan->thread_count,
        .entry_count = (uint32_t)plan->event_count,
        .wait_count = (uint32_t)plan->wait_count,
        .threads = l.threads,
        .entries = l.entries,
        .waits = l.waits,
        .bytes = l.bytes,
        .prefix = plan->prefix,
    };
    mz_plan_thread *threads = (mz_plan_thread *)((char *)memory + l.threads);
    fill_threads(plan, threads);
    fill_entries(plan, threads, (mz_plan_entry *)((char *)memory + l.entries));
    if (plan->wait_count > 0)
        memcpy((char *)memory + l.waits, plan->waits, plan->wait_count * sizeof *plan->waits);
}

void mz_plan_image_set_places(void *memory, const uint64_t *offsets)
{
    mz_plan_image *image = memory;
    mz_plan_entry *entries = (mz_plan_entry *)((char *)memory + image->entries);
    for (uint32_t i = 0; i < image->entry_count; i++)
        if (entries[i].place != MZ_PLAN_NO_PLACE)
            entries[i].place = offsets ? offsets[entries[i].place] : MZ_PLAN_NO_PLACE;
}
