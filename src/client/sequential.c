#include "client/sequential.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void mz_sequential_init(mz_sequential *s, mz_run_alone *run, void *context)
{
    *s = (mz_sequential){.run = run, .context = context};
    s->nodes = mz_grow(NULL, &s->capacity, 1, sizeof *s->nodes);
    s->nodes[s->count++] = (mz_sequential_node){0};
}

void mz_sequential_release(mz_sequential *s)
{
    mz_release(s->nodes);
}

/* Also if it does not return. */
static uint32_t child_of(const mz_sequential *s, uint32_t node, uint32_t operation)
{
    uint32_t child = s->nodes[node].first_child;
    while (child && s->nodes[child].operation != operation)
        child = s->nodes[child].next;
    return child;
}

uint32_t mz_sequential_follow(const mz_sequential *s, uint32_t node, uint32_t operation)
{
    return child_of(s, node, operation);
}

static uint32_t add_child(mz_sequential *s, uint32_t node, uint32_t operation)
{
    s->nodes = mz_grow(s->nodes, &s->capacity, s->count + 1, sizeof *s->nodes);
    s->nodes[s->count] = (mz_sequential_node){.operation = operation, .next = s->nodes[node].first_child};
    s->nodes[node].first_child = (uint32_t)s->count;
    return (uint32_t)s->count++;
}

/* ---- running --------------------------------------------------------------------------------------------
 */

static void keep(mz_sequential *s, const uint8_t *word, uint32_t length, const mz_history *history,
                 mz_sequential_end end)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < length; i++) {
        bool returned = i < history->count && history->calls[i].returned;
        uint32_t child = child_of(s, node, word[i]);
        node = child ? child : add_child(s, node, word[i]);
        s->nodes[node].end = returned ? MZ_SEQUENTIAL_RETURNED : end;
        memcpy(s->nodes[node].result, history->calls[i].result, MZ_CALL_RESULT);
        if (!returned)
            return;
    }
}

/* Its last call was made, or an earlier one does not return. */
static bool is_known(const mz_sequential *s, const uint8_t *word, uint32_t length)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < length; i++) {
        node = child_of(s, node, word[i]);
        if (!node)
            return false;
        if (s->nodes[node].end != MZ_SEQUENTIAL_RETURNED)
            return true;
    }
    return true;
}

static void run_word(mz_sequential *s, const uint8_t *word, uint32_t length, mz_error *error)
{
    mz_history history = {0};
    mz_sequential_end end = MZ_SEQUENTIAL_RETURNED;
    if (is_known(s, word, length) || error->set || s->failing_length > 0)
        return;
    s->runs++;
    if (!s->run(s->context, word, length, &history, &end, error))
        return;
    keep(s, word, length, &history, end);
    if (end == MZ_SEQUENTIAL_FAILED) {
        memcpy(s->failing, word, length);
        s->failing_length = length;
    }
}

/* ---- all orders -----------------------------------------------------------------------------------------
 */

typedef struct orders {
    mz_sequential *sequential;
    const mz_client *client;
    const bool *optional;
    bool any_order;
    uint32_t used[MZ_CLIENT_THREADS + 1]; /* calls of the thread: how many, or which (any order) */
    uint8_t word[MZ_CLIENT_CALLS];
    mz_error *error;
} orders;

static void try_orders(orders *o, uint32_t length)
{
    const mz_client *c = o->client;
    bool is_whole = true;
    for (uint32_t t = 1; t <= c->threads && !o->error->set; t++) {
        uint32_t first = o->any_order ? 0 : o->used[t], end = o->any_order ? c->length[t] : first + 1;
        for (uint32_t i = first; i < end && i < c->length[t]; i++) {
            if (o->any_order && o->used[t] >> i & 1)
                continue;
            uint32_t kept = o->used[t];
            is_whole = false;
            o->used[t] = o->any_order ? kept | 1u << i : kept + 1;
            o->word[length] = c->operations[t][i];
            try_orders(o, length + 1);
            if (o->optional && o->optional[c->operations[t][i]])
                try_orders(o, length);
            o->used[t] = kept;
        }
    }
    if (is_whole && length > 0)
        run_word(o->sequential, o->word, length, o->error);
}

void mz_sequential_learn(mz_sequential *s, const mz_client *client, bool any_order, const bool *optional,
                         mz_error *error)
{
    orders o = {
        .sequential = s, .client = client, .optional = optional, .any_order = any_order, .error = error};
    try_orders(&o, 0);
}

/* ---- between processes ----------------------------------------------------------------------------------
 */

/* Is there anything new at or below each node? Parents come before their children. */
static bool *find_news(const mz_sequential *s, size_t since)
{
    bool *news = mz_allocate_zeroed(s->count, sizeof *news);
    for (size_t node = s->count; node-- > 0;) {
        news[node] |= node >= since && s->nodes[node].end != MZ_SEQUENTIAL_FAILED;
        for (uint32_t child = s->nodes[node].first_child; child; child = s->nodes[child].next)
            news[node] |= news[child];
    }
    return news;
}

static void write_children(const mz_sequential *s, const bool *news, uint32_t node, mz_bytes *out)
{
    for (uint32_t child = s->nodes[node].first_child; child; child = s->nodes[child].next) {
        const mz_sequential_node *n = &s->nodes[child];
        if (!news[child])
            continue;
        mz_bytes_add_number(out, n->operation + 1);
        mz_bytes_add_number(out, n->end);
        mz_bytes_add_string(out, n->result);
        write_children(s, news, child, out);
    }
    mz_bytes_add_number(out, 0);
}

void mz_sequential_write(const mz_sequential *s, size_t since, mz_bytes *out)
{
    bool *news = find_news(s, since);
    write_children(s, news, 0, out);
    mz_release(news);
}

static bool read_children(mz_sequential *s, uint32_t node, uint32_t depth, mz_byte_reader *r)
{
    for (uint64_t operation; (operation = mz_read_number_to(r, MZ_MOST_OPERATIONS)) > 0;) {
        uint32_t child = child_of(s, node, (uint32_t)operation - 1);
        uint64_t end = mz_read_number_to(r, MZ_SEQUENTIAL_FAILED - 1);
        char *result = mz_read_string(r);
        if (!r->failed && result && !child) {
            child = add_child(s, node, (uint32_t)operation - 1);
            s->nodes[child].end = (mz_sequential_end)end;
            snprintf(s->nodes[child].result, MZ_CALL_RESULT, "%s", result);
        }
        r->failed |= !result || depth == MZ_CLIENT_CALLS;
        mz_release(result);
        if (r->failed || !read_children(s, child, depth + 1, r))
            return false;
    }
    return !r->failed;
}

bool mz_sequential_read(mz_sequential *s, mz_byte_reader *r)
{
    return read_children(s, 0, 0, r);
}

static bool look_up(void *context, const uint8_t *word, uint32_t length, mz_history *history,
                    mz_sequential_end *end, mz_error *error)
{
    const mz_sequential *known = context;
    uint32_t node = 0;
    (void)error;
    *end = MZ_SEQUENTIAL_RETURNED;
    for (uint32_t i = 0; i < length && *end == MZ_SEQUENTIAL_RETURNED; i++) {
        node = child_of(known, node, word[i]);
        *end = node ? known->nodes[node].end : MZ_SEQUENTIAL_FAILED;
        mz_client_call *call = &history->calls[history->count++];
        *call = (mz_client_call){.operation = word[i], .returned = *end == MZ_SEQUENTIAL_RETURNED};
        if (node)
            memcpy(call->result, known->nodes[node].result, MZ_CALL_RESULT);
    }
    return true;
}

void mz_sequential_retell(mz_sequential *s, mz_sequential *known)
{
    mz_sequential_init(s, look_up, known);
}

static bool completes(const mz_sequential *s, const mz_client *c, uint32_t node, const uint32_t *used)
{
    bool is_whole = true;
    for (uint32_t t = 1; t <= c->threads; t++) {
        uint32_t next[MZ_CLIENT_THREADS + 1];
        if (used[t] == c->length[t])
            continue;
        is_whole = false;
        uint32_t child = child_of(s, node, c->operations[t][used[t]]);
        if (!child || s->nodes[child].end != MZ_SEQUENTIAL_RETURNED)
            continue;
        memcpy(next, used, sizeof next);
        next[t]++;
        if (completes(s, c, child, next))
            return true;
    }
    return is_whole;
}

bool mz_sequential_completes(const mz_sequential *s, const mz_client *client)
{
    uint32_t used[MZ_CLIENT_THREADS + 1] = {0};
    return completes(s, client, 0, used);
}
