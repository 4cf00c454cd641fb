#include "algo/bounded/visits.h"

#include <string.h>

#include "base/memory.h"

static bool is_empty(const mz_visit *slot)
{
    return slot->trace.low == 0 && slot->trace.high == 0;
}

static mz_visit *find(mz_visit *slots, size_t capacity, mz_hash trace)
{
    size_t i = (size_t)trace.low & (capacity - 1);
    while (!is_empty(&slots[i]) && (slots[i].trace.low != trace.low || slots[i].trace.high != trace.high))
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static void enlarge(mz_visits *v)
{
    size_t larger = v->capacity ? v->capacity * 2 : 1024;
    mz_visit *slots = mz_allocate_zeroed(larger, sizeof *slots);
    for (size_t i = 0; i < v->capacity; i++)
        if (!is_empty(&v->slots[i]))
            *find(slots, larger, v->slots[i].trace) = v->slots[i];
    mz_release(v->slots);
    v->slots = slots;
    v->capacity = larger;
}

/* The slot of the trace; *is_new: nothing is known about it. */
static mz_visit *look_up(mz_visits *v, mz_hash trace, bool *is_new)
{
    if (v->count * 4 >= v->capacity * 3)
        enlarge(v);
    if (trace.low == 0 && trace.high == 0)
        trace.low = 1;
    mz_visit *slot = find(v->slots, v->capacity, trace);
    *is_new = is_empty(slot);
    v->count += *is_new;
    slot->trace = trace;
    return slot;
}

mz_threads mz_visits_arrive(mz_visits *v, mz_hash trace, mz_threads ready, mz_threads free, uint32_t spent,
                            uint32_t budget)
{
    bool is_new;
    mz_visit *known = look_up(v, trace, &is_new);
    mz_threads affordable = spent < budget ? ready : ready & free, left;
    if (is_new || spent + 1 < known->spent)
        left = affordable; /* all are cheaper than ever before */
    else if (spent < known->spent)
        left = affordable & (free | ~known->free); /* those of known->free were not dearer than now */
    else if (spent == known->spent)
        left = ready & free & ~known->free; /* the others cost 1 more, as they did */
    else
        return MZ_NO_THREADS; /* even the dearest was not dearer than the cheapest is now */
    known->free = free | (!is_new && spent == known->spent ? known->free : MZ_NO_THREADS);
    known->spent = spent;
    return left;
}

bool mz_visits_go_on(mz_visits *v, mz_hash trace, uint32_t thread, uint32_t spent)
{
    bool is_new;
    mz_hash step = {trace.low + mz_mix64(thread + 1), trace.high ^ mz_mix64(~(uint64_t)thread)};
    mz_visit *known = look_up(v, step, &is_new);
    if (!is_new && known->spent <= spent)
        return false;
    known->spent = spent;
    return true;
}

bool mz_visits_end(mz_visits *v, mz_hash trace)
{
    bool is_new;
    look_up(v, trace, &is_new);
    return !is_new;
}

void mz_visits_write(const mz_visits *v, mz_bytes *out)
{
    mz_bytes_add_number(out, v->count);
    for (size_t i = 0; i < v->capacity; i++) {
        const mz_visit *slot = &v->slots[i];
        if (is_empty(slot))
            continue;
        mz_bytes_add(out, &slot->trace, sizeof slot->trace);
        mz_bytes_add(out, &slot->free, sizeof slot->free);
        mz_bytes_add_number(out, slot->spent);
    }
}

bool mz_visits_read(mz_visits *v, mz_byte_reader *r)
{
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_visit visit = {0};
        bool is_new;
        mz_read_bytes(r, &visit.trace, sizeof visit.trace);
        mz_read_bytes(r, &visit.free, sizeof visit.free);
        visit.spent = (uint32_t)mz_read_number_to(r, UINT32_MAX);
        if (!r->failed)
            *look_up(v, visit.trace, &is_new) = visit;
    }
    return !r->failed;
}

void mz_visits_clear(mz_visits *v)
{
    if (v->slots)
        memset(v->slots, 0, v->capacity * sizeof *v->slots);
    v->count = 0;
}

void mz_visits_release(mz_visits *v)
{
    mz_release(v->slots);
    *v = (mz_visits){0};
}
