#include "search/frontier.h"

#include <string.h>

#include "base/memory.h"

enum { VERSION = 2 };

/* ---- items ----------------------------------------------------------------------------------------------
 */

static void put_whole(mz_frontier *f, mz_item_form form)
{
    mz_frontier_put(f, &(mz_work_item){.form = form, .whole = true});
}

void mz_frontier_begin(mz_frontier *f)
{
    *f = (mz_frontier){0};
    put_whole(f, MZ_ITEM_ROOT);
}

static void release_messages(mz_frontier *f)
{
    for (size_t i = 0; i < f->message_count; i++)
        mz_schedule_release(&f->messages[i].node);
    f->message_count = 0;
    mz_hash_set_clear(&f->asked);
    f->asked_count = 0;
}

static void release_items(mz_frontier *f)
{
    for (size_t i = 0; i < f->count; i++)
        mz_work_item_release(&f->items[i]);
    f->count = 0;
}

void mz_frontier_release(mz_frontier *f)
{
    release_items(f);
    release_messages(f);
    mz_release(f->items);
    mz_hash_set_release(&f->asked);
    mz_release(f->asked_at);
    mz_release(f->messages);
    mz_map_release(&f->nodes);
    mz_bytes_release(&f->memory);
    mz_text_release(&f->refused);
    *f = (mz_frontier){0};
}

size_t mz_frontier_largest(const mz_frontier *f)
{
    size_t best = 0;
    for (size_t i = 1; i < f->count; i++)
        if (f->items[i].prefix.length < f->items[best].prefix.length)
            best = i;
    return best;
}

mz_work_item mz_frontier_take(mz_frontier *f, size_t index)
{
    mz_work_item item = f->items[index];
    memmove(f->items + index, f->items + index + 1, (--f->count - index) * sizeof *f->items);
    return item;
}

void mz_frontier_put(mz_frontier *f, const mz_work_item *item)
{
    f->items = mz_grow(f->items, &f->capacity, f->count + 1, sizeof *f->items);
    f->items[f->count++] = *item;
}

void mz_frontier_next_epoch(mz_frontier *f, mz_item_form form)
{
    release_items(f);
    release_messages(f);
    mz_map_release(&f->nodes);
    f->has_more = f->lost = false;
    f->epoch++;
    put_whole(f, form);
}

void mz_frontier_refuse(mz_search *s, const char *why)
{
    mz_text_clear(&s->frontier->refused);
    mz_text_add(&s->frontier->refused, "%s", why);
    mz_search_stop(s, "a work item does not fit the program: %s", why);
}

/* ---- nodes and messages ---------------------------------------------------------------------------------
 */

static mz_owned_node *find_node(const mz_frontier *f, mz_hash prefix)
{
    return mz_map_find(&f->nodes, sizeof(mz_owned_node), prefix);
}

static mz_owned_node *next_node(const mz_frontier *f, const mz_owned_node *node)
{
    return mz_map_next(&f->nodes, sizeof *node, node);
}

static void add_node(mz_frontier *f, const mz_owned_node *node)
{
    bool is_new;
    mz_owned_node *slot = mz_map_at(&f->nodes, sizeof *slot, node->prefix, &is_new);
    mz_hash prefix = slot->prefix;
    *slot = *node;
    slot->prefix = prefix;
}

void mz_frontier_own(mz_search *s, size_t depth, mz_threads explored)
{
    mz_frontier *f = s->frontier;
    mz_schedule prefix;
    mz_schedule_copy_first(&prefix, s->execution, depth);
    mz_owned_node node = {.prefix = mz_schedule_hash(&prefix, depth),
                          .enabled = s->nodes[depth].enabled,
                          .sleep = s->nodes[depth].sleep,
                          .explored = explored};
    mz_schedule_release(&prefix);
    add_node(f, &node);
}

/* A search asks for the same at the end of many executions. Its own nodes begin at s->own_from, which only
 * grows: those above it are on one path for as long as it goes on, so the depth tells which one is meant. */
static mz_hash key_of(size_t depth, const mz_race_message *m)
{
    mz_hash key = mz_hash_add(mz_hash_start(depth), (uint64_t)m->prefer << 1 | m->or_all);
    return mz_hash_add_bytes(key, &m->any_of, sizeof m->any_of);
}

/* Whoever explores one thread of a smaller set explores one of this set, too. */
static bool is_asked_for(mz_frontier *f, size_t depth, mz_threads any_of)
{
    for (; f->asked_count <= depth; f->asked_count++) {
        f->asked_at = mz_grow(f->asked_at, &f->asked_capacity, f->asked_count + 1, sizeof *f->asked_at);
        f->asked_at[f->asked_count].count = 0;
    }
    mz_asked *asked = &f->asked_at[depth];
    for (uint32_t i = 0; i < asked->count && i < MZ_MOST_ASKED; i++)
        if (!mz_threads_any(asked->sets[i] & ~any_of))
            return true;
    asked->sets[asked->count++ % MZ_MOST_ASKED] = any_of;
    return false;
}

void mz_frontier_ask(mz_search *s, size_t depth, mz_threads any_of, uint32_t prefer, bool or_all)
{
    mz_frontier *f = s->frontier;
    mz_race_message message = {.any_of = any_of, .prefer = prefer, .or_all = or_all};
    if (!or_all && is_asked_for(f, depth, any_of))
        return;
    if (!mz_hash_set_add(&f->asked, key_of(depth, &message)))
        return;
    mz_schedule_copy_first(&message.node, s->execution, depth);
    f->messages = mz_grow(f->messages, &f->message_capacity, f->message_count + 1, sizeof *f->messages);
    f->messages[f->message_count++] = message;
}

/* Which threads are to be explored from the node because of the message? */
static mz_threads wanted_at(const mz_owned_node *node, const mz_race_message *m)
{
    if (m->or_all && !mz_threads_has(node->enabled & ~node->sleep, m->prefer))
        return node->enabled & ~node->sleep & ~node->explored;
    if (mz_threads_any(m->any_of & (node->explored | node->sleep)) || m->prefer == MZ_NONE)
        return MZ_NO_THREADS;
    return mz_threads_of(m->prefer);
}

/* The owner of the nodes reads what searches have sent. */
void mz_frontier_deliver(mz_frontier *f)
{
    for (size_t i = 0; i < f->message_count; i++) {
        const mz_race_message *m = &f->messages[i];
        mz_owned_node *node = find_node(f, mz_schedule_hash(&m->node, m->node.length));
        if (!node) { /* a frontier that was put together wrongly */
            f->lost = true;
            continue;
        }
        MZ_FOR_EACH_THREAD(t, wanted_at(node, m))
        {
            mz_work_item item;
            mz_branch_item(&item, &m->node, t, node->sleep | node->explored, m->node.length);
            mz_frontier_put(f, &item);
            node->explored |= mz_threads_of(t);
        }
    }
    release_messages(f);
}

void mz_frontier_move_nodes(mz_frontier *to, mz_frontier *from)
{
    for (const mz_owned_node *node = NULL; (node = next_node(from, node));)
        add_node(to, node);
    mz_map_release(&from->nodes);
}

void mz_frontier_move_messages(mz_frontier *to, mz_frontier *from)
{
    for (size_t i = 0; i < from->message_count; i++) {
        to->messages =
            mz_grow(to->messages, &to->message_capacity, to->message_count + 1, sizeof *to->messages);
        to->messages[to->message_count++] = from->messages[i];
    }
    from->message_count = 0;
}

void mz_frontier_move_known_messages(mz_frontier *to, mz_frontier *from)
{
    size_t kept = 0;
    for (size_t i = 0; i < from->message_count; i++) {
        const mz_race_message message = from->messages[i];
        if (!find_node(to, mz_schedule_hash(&message.node, message.node.length))) {
            from->messages[kept++] = message;
            continue;
        }
        to->messages =
            mz_grow(to->messages, &to->message_capacity, to->message_count + 1, sizeof *to->messages);
        to->messages[to->message_count++] = message;
    }
    from->message_count = kept;
}

/* ---- exploring ------------------------------------------------------------------------------------------
 */

void mz_frontier_search(mz_frontier *f, mz_search *s, void (*run)(mz_search *), const mz_work_item *item)
{
    uint64_t epoch = f->epoch;
    mz_text_clear(&f->refused);
    mz_hash_set_clear(&f->asked);
    f->asked_count = 0;
    s->frontier = f;
    s->item = item;
    run(s);
    if (f->epoch == epoch && s->begin_again)
        mz_frontier_next_epoch(f, MZ_ITEM_ROOT);
    f->lost |= f->epoch == epoch && s->stop && !s->has_dissolved && f->refused.length == 0;
}

void mz_frontier_explore(mz_frontier *f, mz_search *s, void (*run)(mz_search *), const mz_work_item *item)
{
    uint64_t epoch = f->epoch;
    mz_frontier_search(f, s, run, item);
    mz_frontier_deliver(f);
    f->lost |= s->machine->has_boundaries && (f->count > 0 || mz_search_is_part(s)); /* it was split before */
    if (f->epoch == epoch && f->count == 0 && f->has_more)
        mz_frontier_next_epoch(f, MZ_ITEM_ROOT);
}

/* ---- as bytes -------------------------------------------------------------------------------------------
 */

static const char MAGIC[8] = "MZFRONT";

static void write_messages(const mz_frontier *f, mz_bytes *out)
{
    mz_bytes_add_number(out, f->message_count);
    for (size_t i = 0; i < f->message_count; i++) {
        const mz_race_message *m = &f->messages[i];
        mz_schedule_write(&m->node, out);
        mz_threads_write(m->any_of, out);
        mz_bytes_add_number(out, m->prefer);
        mz_bytes_add_number(out, m->or_all);
    }
}

void mz_frontier_write(const mz_frontier *f, mz_bytes *out)
{
    size_t start = out->length;
    mz_bytes_add(out, MAGIC, sizeof MAGIC);
    mz_bytes_add_number(out, VERSION);
    mz_bytes_add_number(out, f->epoch);
    mz_bytes_add_number(out, (f->has_more ? 1u : 0u) | (f->lost ? 2u : 0u));
    mz_bytes_add_block(out, &f->memory);
    mz_bytes_add_number(out, f->count);
    for (size_t i = 0; i < f->count; i++)
        mz_work_item_write(&f->items[i], out);
    mz_bytes_add_number(out, f->nodes.count);
    for (const mz_owned_node *node = NULL; (node = next_node(f, node));) {
        mz_bytes_add_number(out, node->prefix.low);
        mz_bytes_add_number(out, node->prefix.high);
        mz_threads_write(node->enabled, out);
        mz_threads_write(node->sleep, out);
        mz_threads_write(node->explored, out);
    }
    write_messages(f, out);
    mz_bytes_seal(out, start);
}

static void read_nodes(mz_byte_reader *r, mz_frontier *f)
{
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_owned_node node = {.prefix.low = mz_read_number(r)};
        node.prefix.high = mz_read_number(r);
        node.enabled = mz_threads_read(r);
        node.sleep = mz_threads_read(r);
        node.explored = mz_threads_read(r);
        r->failed |= mz_map_is_free(&node);
        if (!r->failed)
            add_node(f, &node);
    }
}

static void read_messages(mz_byte_reader *r, mz_frontier *f)
{
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_race_message m = {0};
        mz_schedule_read(r, &m.node);
        m.any_of = mz_threads_read(r);
        m.prefer = (uint32_t)mz_read_number_to(r, UINT32_MAX);
        m.or_all = mz_read_number_to(r, 1);
        f->messages = mz_grow(f->messages, &f->message_capacity, f->message_count + 1, sizeof *f->messages);
        f->messages[f->message_count++] = m;
    }
}

bool mz_frontier_read(mz_byte_reader *r, mz_frontier *f)
{
    size_t start = r->at;
    *f = (mz_frontier){0};
    r->failed |= r->length - r->at < sizeof MAGIC || memcmp(r->data + r->at, MAGIC, sizeof MAGIC) != 0;
    r->at += r->failed ? 0 : sizeof MAGIC;
    if (mz_read_number(r) != VERSION)
        r->failed = true;
    f->epoch = mz_read_number(r);
    uint64_t flags = mz_read_number_to(r, 3);
    f->has_more = flags & 1;
    f->lost = flags & 2;
    mz_read_block(r, &f->memory);
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_work_item item;
        if (mz_work_item_read(r, &item))
            mz_frontier_put(f, &item);
    }
    read_nodes(r, f);
    read_messages(r, f);
    mz_read_seal(r, start);
    if (r->failed)
        mz_frontier_release(f);
    return !r->failed;
}
