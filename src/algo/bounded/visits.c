#include "algo/bounded/visits.h"

static mz_visit *look_up(mz_visits *v, mz_hash trace, bool *is_new)
{
    return mz_map_at(v, sizeof(mz_visit), trace, is_new);
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
    for (const mz_visit *slot = NULL; (slot = mz_map_next(v, sizeof *slot, slot));) {
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
    mz_map_clear(v, sizeof(mz_visit));
}

void mz_visits_release(mz_visits *v)
{
    mz_map_release(v);
}
