#include "pool/ledger.h"

#include <string.h>

#include "base/memory.h"
#include "pool/ledger_internal.h"
#include "search/scout.h"

/* ---- places ---------------------------------------------------------------------------------------------
 */

static void add_number(mz_place_in_tree *place, uint32_t number)
{
    uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8),
                        (uint8_t)number};
    mz_bytes_add(place, bytes, sizeof bytes);
}

int mz__compare_places(const mz_place_in_tree *a, const mz_place_in_tree *b)
{
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = shorter > 0 ? memcmp(a->data, b->data, shorter) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* ---- entries in order -----------------------------------------------------------------------------------
 */

static mz_entry *new_entry(const mz_place_in_tree *parent, uint32_t group, uint32_t index)
{
    mz_entry *e = mz_allocate_zeroed(1, sizeof *e);
    mz_bytes_copy(&e->place, parent);
    add_number(&e->place, group);
    add_number(&e->place, index);
    return e;
}

static void release_entry(mz_entry *e)
{
    mz_bytes_release(&e->place);
    mz_bytes_release(&e->given);
    mz_work_item_release(&e->item);
    mz_harvest_release(&e->harvest);
    mz_frontier_release(&e->unheard);
    mz_release(e);
}

void mz__release_entries(mz_entries *list)
{
    for (size_t i = 0; i < list->count; i++)
        release_entry(list->items[i]);
    mz_release(list->items);
    *list = (mz_entries){0};
}

/* How many come before the place. */
static size_t rank_of(const mz_entries *list, const mz_place_in_tree *place)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (mz__compare_places(&list->items[middle]->place, place) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void mz__insert_entry(mz_entries *list, mz_entry *e)
{
    size_t at = rank_of(list, &e->place);
    list->items = mz_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    memmove(list->items + at + 1, list->items + at, (list->count++ - at) * sizeof *list->items);
    list->items[at] = e;
}

static void take_out(mz_entries *list, size_t at)
{
    memmove(list->items + at, list->items + at + 1, (--list->count - at) * sizeof *list->items);
}

/* ---- the ledger -----------------------------------------------------------------------------------------
 */

static void put_whole(mz_ledger *l, mz_work_item *item)
{
    mz_entry *e = mz_allocate_zeroed(1, sizeof *e);
    e->item = *item;
    *item = (mz_work_item){0};
    mz__insert_entry(&l->waiting, e);
}

void mz_ledger_begin(mz_ledger *l, bool scouts)
{
    *l = (mz_ledger){.next_scouting = scouts ? MZ_SCOUT_AFTER : 0};
    put_whole(l, &(mz_work_item){.form = MZ_ITEM_ROOT, .whole = true});
}

void mz_ledger_release(mz_ledger *l)
{
    mz__release_entries(&l->waiting);
    mz__release_entries(&l->leased);
    mz__release_entries(&l->done);
    mz_frontier_release(&l->nodes);
    mz_bytes_release(&l->end);
    *l = (mz_ledger){0};
}

void mz_ledger_begin_epoch(mz_ledger *l, mz_work_item *item)
{
    bool scouts = l->next_scouting > 0;
    mz_ledger_release(l);
    l->next_scouting = scouts ? MZ_SCOUT_AFTER : 0;
    put_whole(l, item);
}

static bool is_before_end(const mz_ledger *l, const mz_entry *e)
{
    return !l->has_end || mz__compare_places(&e->place, &l->end) < 0;
}

static bool is_after_end(const mz_ledger *l, const mz_entry *e)
{
    return l->has_end && mz__compare_places(&e->place, &l->end) > 0;
}

mz_entry *mz_ledger_lease(mz_ledger *l)
{
    mz_entry *e = l->waiting.count > 0 ? l->waiting.items[0] : NULL;
    if (!e || !is_before_end(l, e))
        return NULL;
    take_out(&l->waiting, 0);
    mz__insert_entry(&l->leased, e);
    return e;
}

mz_entry *mz_ledger_lease_away(mz_ledger *l)
{
    for (size_t i = 0; i < l->waiting.count && is_before_end(l, l->waiting.items[i]); i++)
        if (!l->waiting.items[i]->at_home) {
            mz_entry *e = l->waiting.items[i];
            take_out(&l->waiting, i);
            mz__insert_entry(&l->leased, e);
            return e;
        }
    return NULL;
}

static void put_items(mz_ledger *l, const mz_place_in_tree *parent, uint32_t group, mz_frontier *given)
{
    for (size_t i = 0; i < given->count; i++) {
        mz_entry *e = new_entry(parent, group, (uint32_t)i);
        e->item = given->items[i];
        l->has_words |= e->item.form == MZ_ITEM_WORD;
        mz__insert_entry(&l->waiting, e);
    }
    given->count = 0;
}

/* A search that has dissolved gives its items from the first node of its path on (observations: from the
 * oldest on, but for the one at hand, which comes first). One that goes on would come to them from the last
 * node on. */
static void turn_around(mz_frontier *left)
{
    bool by_depth = left->count > 0 && left->items[0].form != MZ_ITEM_OBSERVATION;
    for (size_t i = 1; by_depth && i < left->count; i++) {
        mz_work_item item = left->items[i];
        size_t at = i;
        for (; at > 0 && left->items[at - 1].prefix.length < item.prefix.length; at--)
            left->items[at] = left->items[at - 1];
        left->items[at] = item;
    }
    for (size_t i = 1, j = left->count; !by_depth && i + 1 < j; i++) {
        mz_work_item item = left->items[i];
        left->items[i] = left->items[--j];
        left->items[j] = item;
    }
}

/* Of what was split. Nodes are those of the prefixes of these items. */
static mz_hash hash_of(const mz_frontier *given)
{
    mz_bytes bytes = {0};
    for (size_t i = 0; i < given->count; i++)
        mz_work_item_write(&given->items[i], &bytes);
    mz_hash hash = mz_hash_add(mz_hash_start(1), given->node_count);
    hash = mz_hash_add_bytes(hash, bytes.data, bytes.length);
    mz_bytes_release(&bytes);
    return hash;
}

/* Items, nodes and messages; what else the frontier has stays. */
static void forget_contents(mz_frontier *f)
{
    mz_frontier contents = {0};
    mz_frontier_move_nodes(&contents, f);
    mz_frontier_move_messages(&contents, f);
    mz_frontier_release(&contents);
    for (size_t i = 0; i < f->count; i++)
        mz_work_item_release(&f->items[i]);
    f->count = 0;
}

/* The lease splits what it had split before it was lost. */
static void repeat_split(mz_entry *lease, mz_frontier *given, const mz_hash *hash)
{
    lease->differs |= memcmp(lease->given.data + lease->repeated, hash, sizeof *hash) != 0;
    lease->repeated += sizeof *hash;
    forget_contents(given);
}

void mz_ledger_split(mz_ledger *l, mz_entry *lease, mz_frontier *given)
{
    mz_hash hash = hash_of(given);
    if (lease->repeated < lease->given.length) {
        repeat_split(lease, given, &hash);
        return;
    }
    mz_bytes_add(&lease->given, &hash, sizeof hash);
    lease->repeated = lease->given.length;
    mz_frontier_move_nodes(&l->nodes, given);
    put_items(l, &lease->place, UINT32_MAX - 1 - lease->splits++, given);
}

static bool is_first_of(const mz_entries *list, const mz_entry *e)
{
    return list->count == 0 || mz__compare_places(&e->place, &list->items[0]->place) < 0;
}

/* Messages are heard when nothing that comes before their sender is under way. */
void mz__hear_what_is_due(mz_ledger *l)
{
    for (size_t i = 0; i < l->done.count; i++) {
        mz_entry *e = l->done.items[i];
        if (!is_first_of(&l->waiting, e) || !is_first_of(&l->leased, e))
            return;
        if (e->unheard.message_count == 0)
            continue;
        if (l->is_task)
            mz_frontier_move_known_messages(&l->nodes, &e->unheard);
        else
            mz_frontier_move_messages(&l->nodes, &e->unheard);
        mz_frontier_deliver(&l->nodes);
        e->harvest.lost |= l->nodes.lost;
        put_items(l, &e->place, UINT32_MAX, &l->nodes);
    }
}

/* Executions at random after this entry, before what was split from it. */
static void put_scouting(mz_ledger *l, const mz_entry *after, uint64_t scouted)
{
    mz_entry *e = new_entry(&after->place, 0, 0);
    e->item.form = MZ_ITEM_SCOUTING;
    mz_bytes_add_number(&e->item.payload, l->next_scouting);
    mz_bytes_add_number(&e->item.payload, scouted);
    l->next_scouting *= 10;
    mz__insert_entry(&l->waiting, e);
}

/* Like messages: when so many events have been performed in the order of places, not in time. The search that
 * has begun it all does so by itself (search/depth_first.c). */
static void scout_when_due(mz_ledger *l)
{
    uint64_t events = 0, scouted = 0;
    for (size_t i = 0; l->next_scouting > 0 && !l->has_words && i < l->done.count; i++) {
        const mz_entry *e = l->done.items[i];
        if (!is_first_of(&l->waiting, e) || !is_first_of(&l->leased, e))
            return;
        events += e->harvest.statistics.events;
        scouted += e->harvest.statistics.scouted;
        while (e->place.length == 0 && events >= l->next_scouting)
            l->next_scouting *= 10;
        if (events >= l->next_scouting) {
            put_scouting(l, e, scouted);
            return;
        }
    }
}

/* All that is done in the order of places, with nothing under way before or between, becomes one entry. */
static void compact(mz_ledger *l)
{
    size_t count = 0;
    while (count < l->done.count && l->done.items[count]->unheard.message_count == 0 &&
           is_first_of(&l->waiting, l->done.items[count]) && is_first_of(&l->leased, l->done.items[count]) &&
           !is_after_end(l, l->done.items[count]))
        count++;
    if (count < 2)
        return;
    mz_entry *first = l->done.items[0];
    for (size_t i = 1; i < count; i++) {
        mz_harvest_add(&first->harvest, &l->done.items[i]->harvest);
        mz_bytes_copy(&first->place, &l->done.items[i]->place);
        release_entry(l->done.items[i]);
    }
    memmove(l->done.items + 1, l->done.items + count, (l->done.count - count) * sizeof *l->done.items);
    l->done.count -= count - 1;
}

static void note_end(mz_ledger *l, const mz_entry *e)
{
    if (!is_before_end(l, e))
        return;
    l->has_end = true;
    mz_bytes_copy(&l->end, &e->place);
}

void mz_ledger_end_at(mz_ledger *l, const mz_entry *lease)
{
    note_end(l, lease);
}

void mz_ledger_forget_end(mz_ledger *l)
{
    l->has_end = false;
    for (size_t i = 0; i < l->done.count; i++)
        if (l->done.items[i]->harvest.stopped)
            note_end(l, l->done.items[i]);
}

bool mz_ledger_ends_at(const mz_ledger *l, const mz_entry *lease)
{
    return l->has_end && mz__compare_places(&lease->place, &l->end) == 0;
}

/* It went another way than before: what it has split then is not what it would come to. (It may, if what is
 * learned in the middle of a search decides where the search goes.) */
static void refuse_repetition(mz_harvest *harvest)
{
    harvest->lost = harvest->incomplete = true;
    mz_text_clear(&harvest->reason);
    mz_text_add(&harvest->reason, "a part that was lost went another way when it was repeated");
}

void mz_ledger_settle(mz_ledger *l, mz_entry *e, mz_harvest *harvest, mz_frontier *left, bool ends)
{
    enum { OFTEN = 64 };
    bool is_behind = e->repeated < e->given.length;
    if (is_behind && !ends && left->count > 0) {
        mz_harvest_release(harvest);
        forget_contents(left);
        mz_ledger_put_back(l, e);
        return;
    }
    if (is_behind || e->differs)
        refuse_repetition(harvest);
    take_out(&l->leased, rank_of(&l->leased, &e->place));
    mz_work_item_release(&e->item);
    mz_bytes_release(&e->given);
    e->harvest = *harvest;
    *harvest = (mz_harvest){0};
    mz_frontier_move_nodes(&l->nodes, left);
    mz_frontier_move_messages(&e->unheard, left);
    turn_around(left);
    put_items(l, &e->place, UINT32_MAX - 1 - e->splits++, left);
    mz__insert_entry(&l->done, e);
    if (ends)
        note_end(l, e);
    mz__hear_what_is_due(l);
    scout_when_due(l);
    if (++l->since_compaction >= OFTEN) {
        compact(l);
        l->since_compaction = 0;
    }
}

void mz_ledger_put_back(mz_ledger *l, mz_entry *e)
{
    take_out(&l->leased, rank_of(&l->leased, &e->place));
    e->repeated = 0;
    mz__insert_entry(&l->waiting, e);
}

bool mz_ledger_is_done(const mz_ledger *l)
{
    return (l->waiting.count == 0 || !is_before_end(l, l->waiting.items[0])) &&
           (l->leased.count == 0 || !is_before_end(l, l->leased.items[0]));
}

bool mz_ledger_is_void(const mz_ledger *l, const mz_entry *lease)
{
    return !is_before_end(l, lease);
}

mz_statistics mz_ledger_statistics(const mz_ledger *l)
{
    mz_statistics sum = {0};
    for (size_t i = 0; i < l->done.count; i++) {
        const mz_statistics *more = &l->done.items[i]->harvest.statistics;
#define MZ_X(field, key, label) sum.field += more->field;
        MZ_STATISTICS(MZ_X)
#undef MZ_X
    }
    return sum;
}

void mz_ledger_total(mz_ledger *l, mz_harvest *total)
{
    *total = (mz_harvest){0};
    for (size_t i = 0; i < l->done.count; i++) {
        mz_entry *e = l->done.items[i];
        if (!is_after_end(l, e))
            mz_harvest_add(total, &e->harvest);
        release_entry(e);
    }
    l->done.count = 0;
}
