#include "search/items/work_item.h"

enum { VERSION = 2 };

void mz_work_item_release(mz_work_item *item)
{
    mz_schedule_release(&item->prefix);
    mz_bytes_release(&item->payload);
}

void mz_work_item_copy(mz_work_item *item, const mz_work_item *other)
{
    *item = (mz_work_item){.form = other->form, .whole = other->whole};
    mz_schedule_copy_part(&item->prefix, &other->prefix, other->prefix.length);
    mz_bytes_copy(&item->payload, &other->payload);
}

void mz_work_item_write(const mz_work_item *item, mz_bytes *out)
{
    size_t start = out->length;
    mz_bytes_add_number(out, VERSION);
    mz_bytes_add_number(out, item->form);
    mz_bytes_add_number(out, item->whole);
    mz_schedule_write(&item->prefix, out);
    mz_bytes_add_block(out, &item->payload);
    mz_bytes_seal(out, start);
}

static bool is_sensible(const mz_work_item *item)
{
    bool has_steps = item->prefix.length > 0;
    return item->form == MZ_ITEM_ROOT ? item->whole && !has_steps : !item->whole || !has_steps;
}

bool mz_work_item_read(mz_byte_reader *r, mz_work_item *item)
{
    size_t start = r->at;
    *item = (mz_work_item){0};
    if (mz_read_number(r) != VERSION)
        r->failed = true;
    item->form = (mz_item_form)mz_read_number_to(r, MZ_ITEM_FORMS - 1);
    item->whole = mz_read_number_to(r, 1);
    mz_schedule_read(r, &item->prefix);
    mz_read_block(r, &item->payload);
    mz_read_seal(r, start);
    r->failed |= !is_sensible(item);
    if (r->failed)
        mz_work_item_release(item);
    return !r->failed;
}

void mz_threads_write(mz_threads threads, mz_bytes *out)
{
    mz_bytes_add_number(out, mz_threads_count(threads));
    MZ_FOR_EACH_THREAD(t, threads)
    {
        mz_bytes_add_number(out, t);
    }
}

mz_threads mz_threads_read(mz_byte_reader *r)
{
    mz_threads threads = MZ_NO_THREADS;
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--)
        threads |= mz_threads_of((uint32_t)mz_read_number_to(r, MZ_MAX_THREADS - 1));
    return threads;
}

/* ---- branches -------------------------------------------------------------------------------------------
 */

void mz_branch_write(mz_work_item *item, mz_threads sleep, size_t first_new)
{
    mz_threads_write(sleep, &item->payload);
    mz_bytes_add_number(&item->payload, first_new);
}

void mz_branch_item(mz_work_item *item, const mz_schedule *node, uint32_t thread, mz_threads sleep,
                    size_t first_new)
{
    *item = (mz_work_item){.form = MZ_ITEM_BRANCH};
    mz_schedule_copy_part(&item->prefix, node, node->length);
    mz_schedule_add(&item->prefix, thread, NULL, 0);
    mz_branch_write(item, sleep & ~mz_threads_of(thread), first_new);
}

void mz_branch_write_known(mz_work_item *item, size_t depth, mz_threads known)
{
    mz_bytes_add_number(&item->payload, depth);
    mz_threads_write(known, &item->payload);
}

bool mz_branch_read(const mz_work_item *item, mz_threads *sleep, size_t *first_new, mz_byte_reader *known)
{
    mz_byte_reader r = {.data = item->payload.data, .length = item->payload.length};
    if (item->form != MZ_ITEM_BRANCH || item->prefix.length == 0)
        return false;
    *sleep = mz_threads_read(&r);
    *first_new = (size_t)mz_read_number_to(&r, item->prefix.length - 1);
    *known = r;
    return !r.failed && !mz_threads_has(*sleep, item->prefix.threads[item->prefix.length - 1]);
}

bool mz_branch_read_known(const mz_work_item *item, mz_byte_reader *known, size_t *depth, mz_threads *threads)
{
    if (known->failed || known->at == known->length)
        return false;
    *depth = (size_t)mz_read_number_to(known, item->prefix.length - 1);
    *threads = mz_threads_read(known);
    return !known->failed;
}
