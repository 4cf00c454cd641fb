/* Realising observations: the steps, in turn. */
#include "algo/rf/realise_internal.h"

bool mz_realise_at_once(mz_realiser *r)
{
    return mz__insert_additions(r) || mz__defer_some(r);
}

bool mz_realise_by_order(mz_realiser *r)
{
    mz__set_up_problem(r);
    if (!mz__saturate(r))
        return false;
    if (mz__place_by_leaders(r))
        return true;
    r->searches++;
    return mz__find_sequence(r);
}

bool mz_realise(mz_realiser *r)
{
    return mz_realise_at_once(r) || mz_realise_by_order(r);
}

void mz_realiser_saturate(mz_realiser *r)
{
    r->addition_count = 0;
    mz__set_up_problem(r);
    mz__saturate(r);
}

const uint32_t *mz_saturated(const mz_realiser *r, uint32_t position)
{
    return mz__clock_of(r, r->node_of[position]);
}

void mz_realiser_release(mz_realiser *r)
{
    mz_release(r->order);
    mz_release(r->crossings);
    mz_release(r->places);
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
