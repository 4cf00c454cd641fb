/* What a program has recorded (wire/record.h): as text, and as a trace. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/lines.h"
#include "base/memory.h"
#include "program/program.h"
#include "safe/plan/recording.h"
#include "safe/run/run.h"
#include "wire/operation.h"

static size_t bytes_of(uint64_t slots)
{
    return sizeof(mz_record_header) + slots * sizeof(mz_record);
}

mz_record_header *mz_run_record_make(uint64_t slots, int *descriptor, mz_error *error)
{
    mz_record_header *record = MAP_FAILED;
    *descriptor = memfd_create("mazurka-record", MFD_CLOEXEC);
    if (*descriptor >= 0 && ftruncate(*descriptor, (off_t)bytes_of(slots)) == 0)
        record = mmap(NULL, bytes_of(slots), PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    if (record == MAP_FAILED) {
        mz_error_set(error, (mz_position){0}, "there is no memory for a recording: %s", strerror(errno));
        return NULL;
    }
    *record = (mz_record_header){.magic = MZ_RECORD_MAGIC, .capacity = slots};
    return record;
}

void mz_run_record_release(mz_record_header *record, int descriptor)
{
    if (record)
        munmap(record, bytes_of(record->capacity));
    if (descriptor >= 0)
        close(descriptor);
}

void mz_run_record_clear(mz_record_header *record)
{
    memset(record + 1, 0, mz_record_used(record) * sizeof(mz_record));
    record->taken = 0;
}

static void write_slot(FILE *file, const mz_record *slot)
{
    static const char *const places[] = MZ_RECORD_PLACES;
    if (slot->phase == MZ_RECORD_WAITS && slot->kind == UINT32_MAX)
        fprintf(file, "waits %" PRIu32 " %" PRIu32 " input\n", slot->thread, slot->count);
    else if (slot->phase == MZ_RECORD_WAITS)
        fprintf(file, "waits %" PRIu32 " %" PRIu32 " %" PRIu32 ":%" PRIu64 "\n", slot->thread, slot->count,
                slot->kind, slot->place);
    else if (slot->phase == MZ_RECORD_THREAD)
        fprintf(file, "thread %" PRIu32 " %" PRIu32 ".%" PRIu32 "\n", slot->thread, slot->kind, slot->count);
    else if (slot->phase == MZ_RECORD_ITERATION)
        fprintf(file, "%s %" PRIu32 "\n", places[slot->count], slot->thread);
    else if (slot->phase == MZ_RECORD_PLAN && slot->kind)
        fprintf(file, "plan undecided: %" PRIu32 " up to event %" PRIu64 "\n", slot->count, slot->place);
    else if (slot->phase == MZ_RECORD_PLAN)
        fprintf(file, "plan %" PRIu32 "\n", slot->count);
    else if (slot->phase != MZ_RECORD_NOTHING && slot->kind < MZ_OPERATION_KIND_COUNT)
        fprintf(file, "%s %" PRIu32 " %" PRIu32 " %s 0x%" PRIx64 "\n",
                slot->phase == MZ_RECORD_BEGIN ? "begin" : "end", slot->thread, slot->count,
                mz_operation_name((mz_operation_kind)slot->kind), slot->place);
}

static void write_head(FILE *file, const mz_words *arguments, const mz_symbolic_plan *plan)
{
    mz_text text = {0};
    bool counts_accesses = plan->plan_count > 0 && plan->plans[0].counts_accesses;
    mz_text_add(&text, "mazurka-record 1\ncounts %s\n", counts_accesses ? "accesses" : "operations");
    mz_symbolic_lines_text(plan, &text);
    for (size_t i = 0; i < arguments->count; i++)
        mz_add_line(&text, "argument", arguments->items[i]);
    fputs(mz_text_string(&text), file);
    mz_text_release(&text);
}

int mz_run_world_make(void)
{
    return memfd_create("mazurka-world", MFD_CLOEXEC);
}

static void write_world(FILE *file, int world)
{
    char part[4096];
    ssize_t got;
    off_t at = 0;
    while (world >= 0 && (got = pread(world, part, sizeof part, at)) > 0) {
        fwrite(part, 1, (size_t)got, file);
        at += got;
    }
}

bool mz_run_record_write(const mz_record_header *record, int world, const mz_words *arguments,
                         const mz_symbolic_plan *plan, const char *path, mz_error *error)
{
    FILE *file = fopen(path, "w");
    if (file) {
        write_head(file, arguments, plan);
        for (uint64_t i = 0; i < mz_record_used(record); i++)
            write_slot(file, &mz_record_slots(record)[i]);
        write_world(file, world);
        fprintf(file, record->taken > record->capacity ? "full\n" : "end\n");
    }
    bool good = file && !ferror(file);
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        mz_error_set(error, (mz_position){0}, "option --record: '%s' could not be written: %s", path,
                     strerror(errno));
    return good;
}

/* ---- plans ----------------------------------------------------------------------------------------------
 */

/* When an event of a plan happened. */
typedef struct when {
    uint64_t begin, end; /* slots, from 1; 0: not at all */
} when;

/* The plan's event with that name; its length if there is none. */
static size_t find_event(const mz_plan *plan, uint32_t thread, uint32_t count)
{
    size_t i = 0;
    while (i < plan->event_count && (plan->events[i].thread != thread || plan->events[i].count != count))
        i++;
    return i;
}

static void note_times(const mz_record_header *record, const mz_plan *plan, when *times)
{
    size_t cursor[MZ_PLAN_MOST_THREADS] = {0};
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->thread >= plan->thread_count || slot->phase >= MZ_RECORD_THREAD)
            continue;
        size_t *at = &cursor[slot->thread]; /* the counts of a thread only grow, here and there */
        while (*at < plan->event_count &&
               (plan->events[*at].thread != slot->thread || plan->events[*at].count < slot->count))
            ++*at;
        if (*at == plan->event_count || plan->events[*at].count != slot->count)
            continue;
        if (slot->phase == MZ_RECORD_BEGIN)
            times[*at].begin = i + 1;
        else
            times[*at].end = i + 1;
    }
}

static bool comes_after(const mz_plan *plan, const when *times, size_t event, size_t other,
                        mz_text *difference)
{
    if (times[event].begin == 0 || (times[other].end > 0 && times[other].end < times[event].begin))
        return true;
    mz_text_add(difference, "operation %u of thread %u began before operation %u of thread %u had ended",
                plan->events[event].count, plan->events[event].thread, plan->events[other].count,
                plan->events[other].thread);
    return false;
}

/* How far each thread is in the iteration. */
typedef struct iteration {
    uint32_t
        done[MZ_PLAN_MOST_THREADS]; /* count of its last operation that is over; MZ_PLAN_ITERATION_END: all */
    bool at_boundary[MZ_PLAN_MOST_THREADS], outside[MZ_PLAN_MOST_THREADS];
    bool has_part[MZ_PLAN_MOST_THREADS]; /* it was in this iteration, or is */
    bool works[MZ_PLAN_MOST_THREADS];    /* it has been let go on, and has not stopped; */
    bool begun[MZ_PLAN_MOST_THREADS];    /* unless it waits in the operation that it has begun */
} iteration;

static bool refuse(mz_text *difference, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(difference, format, arguments);
    va_end(arguments);
    return false;
}

/* All of them have stopped. Of those that are never at a boundary it is not known here whether they have. */
static bool opens_well(iteration *now, mz_text *difference)
{
    for (uint32_t t = 0; t < MZ_PLAN_MOST_THREADS; t++) {
        if (now->works[t] && !now->begun[t])
            return refuse(difference, "a loop boundary was opened while thread %u was at work", t);
        now->has_part[t] = now->at_boundary[t];
        if (!now->at_boundary[t])
            continue;
        now->done[t] = 0;
        now->at_boundary[t] = false;
        now->works[t] = true;
    }
    return true;
}

static bool may_begin(const mz_plan *plan, const iteration *now, const mz_record *slot, mz_text *difference)
{
    size_t i = find_event(plan, slot->thread, slot->count);
    if (now->at_boundary[slot->thread] || now->outside[slot->thread])
        return refuse(difference, "thread %u went on from a loop boundary before it was opened",
                      slot->thread);
    for (uint32_t k = 0; i < plan->event_count && k < plan->events[i].wait_count; k++) {
        const mz_plan_wait *wait = &plan->waits[plan->events[i].first_wait + k];
        if (now->done[wait->thread] < wait->count)
            return refuse(difference,
                          "operation %u of an iteration of thread %u began too early for thread %u",
                          slot->count, slot->thread, wait->thread);
    }
    return true;
}

/* Others wait for it: it is not to come where nobody expects it any more. */
static bool is_source(const mz_plan *plan, uint32_t thread)
{
    for (size_t i = 0; i < plan->wait_count; i++)
        if (plan->waits[i].thread == thread)
            return true;
    return false;
}

static bool moves_well(const mz_plan *plan, iteration *now, const mz_record *slot, mz_text *difference)
{
    uint32_t t = slot->thread;
    switch ((enum mz_record_place)slot->count) {
    case MZ_RECORD_OPENS:
        return opens_well(now, difference);
    case MZ_RECORD_JOINS:
        if (!now->outside[t] || now->has_part[t] || is_source(plan, t))
            return refuse(difference, "thread %u joined an iteration that it has no part in", t);
        now->outside[t] = false;
        now->has_part[t] = now->works[t] = true;
        now->done[t] = 0;
        return true;
    case MZ_RECORD_ASLEEP: /* it is told before the boundary is opened */
        now->done[t] = 0;
        now->works[t] = now->begun[t] = now->has_part[t] = false;
        return true;
    case MZ_RECORD_AWAITS:
        now->works[t] = now->begun[t] = false;
        return true;
    case MZ_RECORD_PASSED:
        now->done[t] = MZ_PLAN_ITERATION_END;
        return true;
    default:
        now->done[t] = MZ_PLAN_ITERATION_END;
        now->at_boundary[t] = slot->count == MZ_RECORD_BOUNDARY;
        now->outside[t] = slot->count == MZ_RECORD_OUTSIDE;
        now->has_part[t] = true;
        now->works[t] = now->begun[t] = false;
        return true;
    }
}

/* The same for a plan for iterations. */
static bool iterations_adhere(const mz_record_header *record, const mz_plan *plan, mz_text *difference)
{
    iteration now = {0};
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->thread >= plan->thread_count)
            continue;
        if (slot->phase == MZ_RECORD_BEGIN && !may_begin(plan, &now, slot, difference))
            return false;
        if (slot->phase == MZ_RECORD_BEGIN || slot->phase == MZ_RECORD_END)
            now.begun[slot->thread] = slot->phase == MZ_RECORD_BEGIN;
        if (slot->phase == MZ_RECORD_END && now.done[slot->thread] != MZ_PLAN_ITERATION_END)
            now.done[slot->thread] = slot->count;
        if (slot->phase == MZ_RECORD_ITERATION && !moves_well(plan, &now, slot, difference))
            return false;
    }
    return true;
}

/* Does the operation have nothing to do with that event of the prefix? Only then it may come before. */
static bool is_independent(const mz_record *slot, const mz_plan *plan, const mz_record_header *record,
                           const when *times, size_t event)
{
    enum { LONGEST_DATA = 16 };
    mz_operation_kind kind = plan->events[event].kind;
    if (plan->counts_accesses || plan->events[event].place == MZ_PLAN_NOWHERE || kind == MZ_OP_WAIT ||
        kind == MZ_OP_AWAIT || kind == MZ_OP_ATOMIC || slot->kind == MZ_OP_WAIT || slot->kind == MZ_OP_ATOMIC)
        return false;
    if (times[event].begin == 0) /* the program has ended before it */
        return true;
    uint64_t place = mz_record_slots(record)[times[event].begin - 1].place;
    return place - slot->place >= LONGEST_DATA && slot->place - place >= LONGEST_DATA;
}

/* Events of T beyond the prefix that is left in the end may have been a part of it when they happened. Then
 * they waited for what happens before them in T, and for nothing else: whatever else of the prefix comes
 * later is concurrent with them (safe/runtime/follow/runtime.c). Of the first `most` events those are marked
 * that have happened so. */
static void find_ordered(const mz_plan *plan, uint32_t most, const when *times, bool *ordered)
{
    size_t last[MZ_PLAN_MOST_THREADS]; /* the thread's event before */
    for (uint32_t t = 0; t < MZ_PLAN_MOST_THREADS; t++)
        last[t] = plan->event_count;
    for (size_t i = 0; i < most && i < plan->event_count; i++) {
        const mz_plan_event *event = &plan->events[i];
        size_t before = last[event->thread];
        bool good = times[i].begin > 0 && (before == plan->event_count || ordered[before]);
        for (uint32_t k = 0; good && k < event->wait_count; k++) {
            const mz_plan_wait *wait = &plan->waits[event->first_wait + k];
            size_t other = find_event(plan, wait->thread, wait->count);
            good = other < i && ordered[other] && times[other].end > 0 && times[other].end < times[i].begin;
        }
        ordered[i] = i < plan->prefix || good;
        last[event->thread] = i;
    }
}

/* Is it one of those, or does it stand between one and the thread's next event? */
static bool came_in_order(const mz_plan *plan, const bool *ordered, const mz_record *slot)
{
    size_t last = plan->event_count;
    for (size_t i = 0; i < plan->event_count; i++)
        if (plan->events[i].thread == slot->thread && plan->events[i].count <= slot->count)
            last = i;
    return ordered[last];
}

/* What is not in the prefix comes after all of it, unless it is independent. */
static bool nothing_overtakes(const mz_record_header *record, const mz_plan *plan, const bool *ordered,
                              const when *times, mz_text *difference)
{
    uint64_t beyond[MZ_PLAN_MOST_THREADS], complete = 0;
    for (uint32_t t = 0; t < MZ_PLAN_MOST_THREADS; t++)
        beyond[t] = UINT64_MAX;
    for (size_t i = plan->event_count; i > plan->prefix; i--)
        beyond[plan->events[i - 1].thread] = plan->events[i - 1].count;
    for (size_t k = 0; k < plan->prefix; k++)
        complete = times[k].end == 0 ? UINT64_MAX : times[k].end > complete ? times[k].end : complete;
    for (uint64_t i = 0; i < mz_record_used(record) && i + 1 < complete; i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase != MZ_RECORD_BEGIN || slot->thread >= plan->thread_count ||
            slot->count < beyond[slot->thread])
            continue;
        for (size_t k = 0; k < plan->prefix; k++) {
            const mz_plan_event *event = &plan->events[k];
            bool before = times[k].end == 0 || times[k].end > i + 1;
            if (event->thread == slot->thread || !before || is_independent(slot, plan, record, times, k) ||
                came_in_order(plan, ordered, slot))
                continue;
            mz_text_add(difference,
                        "operation %u of thread %u, beyond the prefix, began before operation %u of thread "
                        "%u had ended",
                        slot->count, slot->thread, event->count, event->thread);
            return false;
        }
    }
    return true;
}

/* The plan that applied in the end: if the program has ended before it had read what decides it, as much as
 * all have in common that were possible. Parts of it are the symbolic plan's. *most: how many of the first
 * events of its trace may have been a prefix meanwhile, when it was longer, or while it was not decided yet.
 */
static mz_plan plan_of(const mz_record_header *record, const mz_symbolic_plan *symbolic,
                       const uint32_t *at_first, uint32_t *most)
{
    uint32_t number = 0, common = 0;
    mz_plan plan = symbolic->plans[0];
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase != MZ_RECORD_PLAN || slot->count >= symbolic->plan_count)
            continue;
        number = slot->count;
        plan = symbolic->plans[number];
        if (slot->kind && slot->place < plan.prefix)
            plan.prefix = (uint32_t)slot->place;
        if (slot->kind && slot->place > common)
            common = (uint32_t)slot->place;
    }
    *most = at_first && at_first[number] > common ? at_first[number] : common;
    return plan;
}

bool mz_run_record_adheres(const mz_record_header *record, const mz_symbolic_plan *symbolic,
                           const uint32_t *at_first, mz_text *difference)
{
    uint32_t most;
    const mz_plan applied = plan_of(record, symbolic, at_first, &most), *plan = &applied;
    if (plan->iterations)
        return iterations_adhere(record, plan, difference);
    when *times = mz_allocate_zeroed(plan->event_count + 1, sizeof *times);
    bool *ordered = mz_allocate_zeroed(plan->event_count + 1, sizeof *ordered), good = true;
    note_times(record, plan, times);
    for (size_t i = 0; good && i < plan->event_count; i++) {
        const mz_plan_event *event = &plan->events[i];
        for (size_t k = 0; good && i < plan->prefix && k < event->wait_count; k++) {
            const mz_plan_wait *wait = &plan->waits[event->first_wait + k];
            good = comes_after(plan, times, i, find_event(plan, wait->thread, wait->count), difference);
        }
    }
    find_ordered(plan, most, times, ordered);
    good = good && (plan->edges_only || nothing_overtakes(record, plan, ordered, times, difference));
    mz_release(times);
    mz_release(ordered);
    return good;
}

void mz_run_record_count_waits(const mz_record_header *record, uint64_t *waits)
{
    uint32_t last[MZ_PLAN_MOST_THREADS] = {0}; /* it may wait for several */
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase != MZ_RECORD_WAITS || slot->thread >= MZ_PLAN_MOST_THREADS)
            continue;
        waits[slot->thread] += slot->count != last[slot->thread];
        last[slot->thread] = slot->count;
    }
}

/* ---- traces ---------------------------------------------------------------------------------------------
 */

/* An object, and the order of the operations on it. Between two that change it, the order of those that only
 * read it is no part of the trace. */
typedef struct object {
    uint64_t place, name; /* its name: the first of its events by thread and count; addresses differ */
    uint64_t changes, reads;
} object;

typedef struct objects {
    object *items;
    size_t count, capacity;
} objects;

static object *object_at(objects *all, uint64_t place)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].place == place)
            return &all->items[i];
    all->items = mz_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count] = (object){.place = place, .name = UINT64_MAX};
    return &all->items[all->count++];
}

/* What it was in the end: a compare-and-swap that fails is a read. */
static uint32_t final_kind(const mz_record_header *record, uint64_t at)
{
    const mz_record *slots = mz_record_slots(record);
    for (uint64_t i = at; i < mz_record_used(record); i++)
        if (slots[i].thread == slots[at].thread && slots[i].phase == MZ_RECORD_END)
            return slots[i].kind;
    return slots[at].kind;
}

uint64_t mz_run_record_trace(const mz_record_header *record)
{
    objects all = {0};
    uint64_t trace = 0;
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase >= MZ_RECORD_THREAD || !mz_record_happens(slot))
            continue;
        object *o = object_at(&all, slot->place);
        uint64_t event = (uint64_t)slot->thread << 32 | slot->count;
        o->name = event < o->name ? event : o->name;
        if (final_kind(record, i) == MZ_OP_READ) {
            o->reads += mz_mix64(o->changes ^ mz_mix64(event));
        } else {
            o->changes = mz_mix64(o->changes + o->reads * 3 + mz_mix64(event));
            o->reads = 0;
        }
    }
    for (size_t i = 0; i < all.count; i++)
        trace += mz_mix64(all.items[i].name ^ mz_mix64(all.items[i].changes + all.items[i].reads * 3));
    mz_release(all.items);
    return trace;
}
