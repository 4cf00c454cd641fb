/* All clients, each once up to renaming threads and values, the smallest first.
 *
 * A client is a multiset of threads: only those whose threads are in order (the longer first, then by their
 * operations) are made. A renaming exchanges values of a set, in all operations at once; of the clients that
 * renamings make of each other, only the least one is kept. Both only leave out clients that are equal to one
 * that is kept, under the premise that the library treats the values of a set alike. */
#include <string.h>

#include "base/memory.h"
#include "client/description.h"

enum { MOST_CLIENTS = 2000000, MOST_RENAMINGS = 5040 };

typedef struct renamings {
    uint8_t *maps; /* [renaming][operation] */
    size_t count, capacity;
} renamings;

typedef struct maker {
    const mz_description *description;
    mz_clients *out;
    renamings renamings;
    mz_client client; /* being made */
    uint32_t threads, calls;
    bool is_too_much;
} maker;

/* ---- renamings ------------------------------------------------------------------------------------------
 */

static uint32_t find_operation(const mz_description *d, const mz_client_operation *like)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->operations[i].given == like->given &&
            memcmp(d->operations[i].values, like->values, sizeof like->values) == 0)
            return i;
    return UINT32_MAX;
}

/* By these permutations, one for each set. */
static void add_renaming(maker *m, uint8_t permutations[][64])
{
    const mz_description *d = m->description;
    renamings *r = &m->renamings;
    r->maps = mz_grow(r->maps, &r->capacity, (r->count + 1) * d->count, sizeof *r->maps);
    for (uint32_t i = 0; i < d->count; i++) {
        mz_client_operation renamed = d->operations[i];
        for (uint32_t p = 0; p < renamed.parameters; p++)
            if (renamed.sets[p] != UINT32_MAX)
                renamed.values[p] = permutations[renamed.sets[p]][renamed.values[p]];
        r->maps[r->count * d->count + i] = (uint8_t)find_operation(d, &renamed);
    }
    r->count++;
}

/* All permutations of the sets from this one on. If they are too many, some clients are made twice: no harm.
 */
static void permute(maker *m, uint8_t permutations[][64], uint32_t set, uint32_t from)
{
    const mz_description *d = m->description;
    if (m->renamings.count >= MOST_RENAMINGS)
        return;
    if (set == d->set_count) {
        add_renaming(m, permutations);
        return;
    }
    uint32_t size = d->sets[set].size;
    if (from == size) {
        permute(m, permutations, set + 1, 0);
        return;
    }
    for (uint32_t i = from; i < size; i++) {
        uint8_t *p = permutations[set], kept = p[from];
        p[from] = p[i];
        p[i] = kept;
        permute(m, permutations, set, from + 1);
        p[i] = p[from];
        p[from] = kept;
    }
}

/* ---- one of each ----------------------------------------------------------------------------------------
 */

/* The longer first, then by operations. */
static int compare_threads(const mz_client *a, uint32_t t, const mz_client *b, uint32_t u)
{
    if (a->length[t] != b->length[u])
        return a->length[t] > b->length[u] ? -1 : 1;
    return memcmp(a->operations[t], b->operations[u], a->length[t]);
}

static void swap_threads(mz_client *c, uint32_t t, uint32_t u)
{
    uint32_t length = c->length[t];
    uint8_t operations[MZ_CLIENT_CALLS];
    memcpy(operations, c->operations[t], sizeof operations);
    memcpy(c->operations[t], c->operations[u], sizeof operations);
    memcpy(c->operations[u], operations, sizeof operations);
    c->length[t] = c->length[u];
    c->length[u] = length;
}

static void sort_threads(mz_client *c)
{
    for (uint32_t t = 2; t <= c->threads; t++)
        for (uint32_t u = t; u > 1 && compare_threads(c, u, c, u - 1) < 0; u--)
            swap_threads(c, u, u - 1);
}

static bool is_least(const maker *m)
{
    for (size_t r = 0; r < m->renamings.count; r++) {
        const uint8_t *map = &m->renamings.maps[r * m->description->count];
        mz_client renamed = m->client;
        int order = 0;
        for (uint32_t t = 1; t <= renamed.threads; t++)
            for (uint32_t i = 0; i < renamed.length[t]; i++)
                renamed.operations[t][i] = map[renamed.operations[t][i]];
        sort_threads(&renamed);
        for (uint32_t t = 1; t <= renamed.threads && order == 0; t++)
            order = compare_threads(&renamed, t, &m->client, t);
        if (order < 0)
            return false;
    }
    return true;
}

/* The operations of a thread from there on, then those of the others; so many calls are left. */
static void fill(maker *m, uint32_t thread, uint32_t at, uint32_t left)
{
    const mz_description *d = m->description;
    mz_client *c = &m->client;
    if (m->is_too_much)
        return;
    if (thread > m->threads) {
        if (left > 0 || !is_least(m))
            return;
        m->out->list = mz_grow(m->out->list, &m->out->capacity, m->out->count + 1, sizeof *m->out->list);
        m->out->list[m->out->count++] = *c;
        m->is_too_much = m->out->count == MOST_CLIENTS;
        return;
    }
    uint32_t others = m->threads - thread;
    bool can_end = at >= d->least_length && left >= others * d->least_length &&
                   left <= others * (at < d->most_length ? at : d->most_length);
    if (at > 0 && can_end) {
        c->length[thread] = at;
        if (thread == 1 || compare_threads(c, thread - 1, c, thread) <= 0)
            fill(m, thread + 1, 0, left);
    }
    if (at == d->most_length || left == 0)
        return;
    for (uint32_t o = 0; o < d->count; o++) {
        c->operations[thread][at] = (uint8_t)o;
        fill(m, thread, at + 1, left - 1);
    }
    c->operations[thread][at] = 0;
}

void mz_clients_enumerate(const mz_description *d, mz_clients *out, mz_error *error)
{
    maker m = {.description = d, .out = out};
    uint8_t permutations[MZ_CLIENT_PARAMETERS * 8][64];
    for (size_t set = 0; set < sizeof permutations / sizeof *permutations; set++)
        for (size_t i = 0; i < 64; i++)
            permutations[set][i] = (uint8_t)i;
    permute(&m, permutations, 0, 0);
    uint32_t most = d->most_threads * d->most_length;
    if (d->most_calls > 0 && d->most_calls < most)
        most = d->most_calls;
    if (most > MZ_CLIENT_CALLS)
        most = MZ_CLIENT_CALLS;
    for (m.calls = d->least_threads * d->least_length; m.calls <= most; m.calls++)
        for (m.threads = d->least_threads; m.threads <= d->most_threads; m.threads++) {
            m.client = (mz_client){.threads = m.threads};
            fill(&m, 1, 0, m.calls);
        }
    if (m.is_too_much) {
        mz_error_set(error, (mz_position){0}, "there are more than %d clients", MOST_CLIENTS);
        mz_error_set_hint(error, "fewer operations, values, threads or calls: --calls=4, --length=1..2");
    }
    mz_release(m.renamings.maps);
}

void mz_clients_release(mz_clients *clients)
{
    mz_release(clients->list);
}
