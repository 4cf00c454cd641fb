#include "client/sequential.h"

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
