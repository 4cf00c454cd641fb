/* Ledgers as bytes, and in parts. */
#include <string.h>

#include "base/memory.h"
#include "pool/ledger.h"
#include "pool/ledger_internal.h"

static const char MAGIC[8] = "MZLEDGE";
enum { VERSION = 3 };

/* ---- writing --------------------------------------------------------------------------------------------
 */

static void write_waiting(const mz_entries *list, mz_bytes *out)
{
    mz_bytes_add_number(out, list->count);
    for (size_t i = 0; i < list->count; i++) {
        mz_bytes_add_block(out, &list->items[i]->place);
        mz_work_item_write(&list->items[i]->item, out);
        mz_bytes_add_block(out, &list->items[i]->given);
    }
}

static void write_done(const mz_entries *list, mz_bytes *out)
{
    mz_bytes_add_number(out, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const mz_entry *e = list->items[i];
        mz_bytes_add_block(out, &e->place);
        mz_harvest_write(&e->harvest, out);
        mz_frontier_write(&e->unheard, out);
    }
}

void mz_ledger_write(const mz_ledger *l, mz_bytes *out)
{
    size_t start = out->length;
    mz_bytes_add(out, MAGIC, sizeof MAGIC);
    mz_bytes_add_number(out, VERSION);
    mz_bytes_add_number(out, (l->is_task ? 1u : 0u) | (l->has_end ? 2u : 0u));
    mz_bytes_add_block(out, &l->end);
    mz_bytes_add_number(out, l->next_scouting);
    mz_frontier_write(&l->nodes, out);
    write_waiting(&l->waiting, out);
    write_done(&l->done, out);
    mz_bytes_seal(out, start);
}

/* ---- reading --------------------------------------------------------------------------------------------
 */

static void read_waiting(mz_byte_reader *r, mz_entries *list)
{
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_entry *e = mz_allocate_zeroed(1, sizeof *e);
        mz_read_block(r, &e->place);
        if (!mz_work_item_read(r, &e->item))
            e->item = (mz_work_item){0};
        mz_read_block(r, &e->given);
        r->failed |= e->given.length % sizeof(mz_hash) != 0 || e->given.length / sizeof(mz_hash) > UINT32_MAX;
        e->splits = (uint32_t)(e->given.length / sizeof(mz_hash));
        mz__insert_entry(list, e);
    }
}

static bool has_words(const mz_entries *list)
{
    return list->count > 0 && list->items[list->count - 1]->item.form == MZ_ITEM_WORD;
}

static void read_done(mz_byte_reader *r, mz_entries *list, mz_arena *names)
{
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_entry *e = mz_allocate_zeroed(1, sizeof *e);
        mz_read_block(r, &e->place);
        mz_harvest_read(r, &e->harvest, names);
        if (!r->failed)
            mz_frontier_read(r, &e->unheard);
        mz__insert_entry(list, e);
    }
}

bool mz_ledger_read(mz_byte_reader *r, mz_ledger *l, mz_arena *names)
{
    size_t start = r->at;
    *l = (mz_ledger){0};
    r->failed |= r->length - r->at < sizeof MAGIC || memcmp(r->data + r->at, MAGIC, sizeof MAGIC) != 0;
    r->at += r->failed ? 0 : sizeof MAGIC;
    if (mz_read_number(r) != VERSION)
        r->failed = true;
    uint64_t flags = mz_read_number_to(r, 3);
    l->is_task = flags & 1;
    l->has_end = flags >> 1;
    mz_read_block(r, &l->end);
    l->next_scouting = mz_read_number(r);
    if (!r->failed)
        mz_frontier_read(r, &l->nodes);
    read_waiting(r, &l->waiting);
    l->has_words = has_words(&l->waiting);
    read_done(r, &l->done, names);
    mz_read_seal(r, start);
    if (r->failed)
        mz_ledger_release(l);
    return !r->failed;
}

/* ---- parts ----------------------------------------------------------------------------------------------
 */

static mz_entry *copy_waiting(const mz_entry *e)
{
    mz_entry *copy = mz_allocate_zeroed(1, sizeof *copy);
    mz_bytes_copy(&copy->place, &e->place);
    mz_bytes_copy(&copy->given, &e->given);
    copy->splits = e->splits;
    copy->item.form = e->item.form;
    copy->item.whole = e->item.whole;
    mz_schedule_copy_part(&copy->item.prefix, &e->item.prefix, e->item.prefix.length);
    mz_bytes_copy(&copy->item.payload, &e->item.payload);
    return copy;
}

void mz_ledger_deal(const mz_ledger *l, size_t i, size_t n, mz_ledger *task)
{
    *task = (mz_ledger){.is_task = true, .nodes.epoch = l->nodes.epoch};
    for (; i < l->waiting.count; i += n)
        mz__insert_entry(&task->waiting, copy_waiting(l->waiting.items[i]));
}

void mz_ledger_forget_waiting(mz_ledger *l)
{
    mz__release_entries(&l->waiting);
}

static void move_all(mz_entries *to, mz_entries *from)
{
    for (size_t i = 0; i < from->count; i++)
        mz__insert_entry(to, from->items[i]);
    mz_release(from->items);
    *from = (mz_entries){0};
}

void mz_ledger_merge(mz_ledger *l, mz_ledger *other)
{
    move_all(&l->waiting, &other->waiting);
    move_all(&l->done, &other->done);
    mz_frontier_move_nodes(&l->nodes, &other->nodes);
    if (other->has_end && (!l->has_end || mz__compare_places(&other->end, &l->end) < 0)) {
        l->has_end = true;
        mz_bytes_copy(&l->end, &other->end);
    }
    mz_ledger_release(other);
    mz__hear_what_is_due(l);
}
