/* Step 1 of realising: the additions are inserted into the sequence that there is.
 *
 * The events of the set, in the order of the execution, are a sequence in which they read what they are to:
 * the writer of each read is among them, and nothing stands between the two that did not before. An addition
 * may be inserted where all that it has to come after stands before it, what it is to read was written last,
 * and nothing behind it reads what it overwrites. The result is then a sequence as it is asked for.
 *
 * One place is tried, the last one at which the addition reads what it is to. That it does not fit there does
 * not mean that there is no sequence: the events may have to be in another order. The next steps tell. */
#include <string.h>

#include "algo/rf/realise_internal.h"

static bool conflicts_strictly(const mz_realiser *r, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < mz__access_count_of(r, a); i++) {
        mz_access one = mz__access_of(r, a, i);
        for (uint32_t j = 0; j < mz__access_count_of(r, b) && !mz_is_loose(r->observation, one.location);
             j++) {
            mz_access other = mz__access_of(r, b, j);
            if (mz_accesses_conflict(&one, 1, &other, 1))
                return true;
        }
    }
    return false;
}

static bool is_cause(const mz_realiser *r, const mz_addition *a, uint32_t item)
{
    for (uint32_t i = 0; i < a->cause_count; i++)
        if (a->causes[i].thread == mz__thread_of(r, item) && a->causes[i].index == mz__index_of(r, item))
            return true;
    return false;
}

bool mz__must_precede(const mz_realiser *r, uint32_t item, uint32_t added)
{
    const mz_addition *a = &r->additions[added - r->execution->length];
    if (mz__thread_of(r, item) == a->thread || is_cause(r, a, item) || conflicts_strictly(r, item, added))
        return true;
    for (uint32_t i = 0; i < a->access_count; i++)
        if (mz_is_loose_read(r->observation, a->accesses[i]) && mz__writer_of(r, added, i) == item)
            return true;
    return false;
}

/* The place of the writer of the loose read among the first `end` items, from 1; 0 for the initial value. */
static size_t place_of_writer(const mz_realiser *r, uint32_t added, uint32_t i, size_t end)
{
    uint32_t writer = mz__writer_of(r, added, i);
    while (end > 0 && writer != MZ_NONE && r->order[end - 1] != writer)
        end--;
    return writer == MZ_NONE ? 0 : end;
}

/* Would the addition, inserted at this place, overwrite what a later item reads? */
static bool is_in_the_way(const mz_realiser *r, uint32_t added, size_t at)
{
    for (size_t later = at; later < r->order_count; later++) {
        uint32_t item = r->order[later];
        for (uint32_t i = 0; i < mz__access_count_of(r, item); i++) {
            mz_access access = mz__access_of(r, item, i);
            if (!mz_is_loose_read(r->observation, access) || !mz__writes_location(r, added, access.location))
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
                if (mz__writes_location(r, r->order[at], a->accesses[i].location))
                    latest = at;
    for (size_t at = r->order_count; at > 0 && latest < r->order_count && earliest == 0; at--)
        if (mz__must_precede(r, r->order[at - 1], added))
            earliest = at;
    if (earliest > latest || is_in_the_way(r, added, latest))
        return false;
    mz__add_to_order(r, added);
    if (latest + 1 == r->order_count)
        return true;
    memmove(r->order + latest + 1, r->order + latest, (r->order_count - 1 - latest) * sizeof *r->order);
    r->order[latest] = added;
    if (latest < r->unmoved)
        r->unmoved = r->counted = latest;
    return true;
}

/* The position of the first event that is not in the set. */
static size_t first_left_out(const mz_realiser *r)
{
    const mz_execution *x = r->execution;
    size_t first = x->length;
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++)
        if (r->set[thread] < x->thread_length[thread] && x->positions[thread][r->set[thread] + 1] < first)
            first = x->positions[thread][r->set[thread] + 1];
    return first;
}

void mz__take_set(mz_realiser *r)
{
    const mz_execution *x = r->execution;
    uint32_t end = 0;
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++)
        if (r->set[thread] > 0 && x->positions[thread][r->set[thread]] >= end)
            end = x->positions[thread][r->set[thread]] + 1;
    mz__keep_places(r, first_left_out(r));
    size_t count = r->order_count;
    for (uint32_t position = (uint32_t)count; position < end; position++) {
        r->order[count] = position;
        count += mz__is_in_set(r, position);
    }
    r->order_count = count;
}

/* Does the thread of the first addition, which is to stand behind its other events, come too late for what it
 * is to read, as another write stands before these? */
static bool comes_too_late(const mz_realiser *r)
{
    const mz_execution *x = r->execution;
    const mz_addition *a = r->additions;
    if (r->addition_count == 0 || r->set[a->thread] == 0)
        return false;
    uint32_t own = x->positions[a->thread][r->set[a->thread]];
    for (uint32_t i = 0; i < a->access_count; i++) {
        uint32_t record = mz_location_now(x, a->accesses[i].location).last_write, overwritten = MZ_NONE;
        if (!mz_is_loose_read(r->observation, a->accesses[i]))
            continue;
        for (; record != MZ_NONE && x->records[record].event != a->writers[i];
             record = x->records[record].previous_write)
            if (mz__is_in_set(r, x->records[record].event))
                overwritten = x->records[record].event;
        if (overwritten != MZ_NONE && overwritten < own)
            return true;
    }
    return false;
}

bool mz__insert_additions(mz_realiser *r)
{
    if (comes_too_late(r))
        return false;
    mz__take_set(r);
    for (uint32_t i = 0; i < r->addition_count; i++)
        if (!insert(r, (uint32_t)r->execution->length + i))
            return false;
    return true;
}
