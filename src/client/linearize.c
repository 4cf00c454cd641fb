/* Linearizability of all executions of a trace at once.
 *
 * A search with partial order reduction visits one execution of each trace. All executions of a trace give
 * the same results; but they differ in real time, for which it matters who had returned when another call
 * began, and calls are no events. One execution of a trace may be explained by an order of its calls, and
 * another one not: so to judge the one that was visited is not enough.
 *
 * Let P be the order of the trace. A call is an interval; without loss of generality it begins with its first
 * event and ends with its last one, since an earlier beginning and a later end only make calls overlap that
 * did not, and whatever explains the tighter history explains the wider one. (Local work before the first
 * event can be done just before it. A call without events is a moment between two events of its thread.)
 * Then the real-time order of an execution follows from the order in which first and last events stand.
 *
 * To refute linearizability is a game against the orders that could explain the results:
 *   1. S is the set of all orders L of the calls, as the threads have them, in which the library alone
 * returns the same. S depends on the results only.
 *   2. An execution is explained iff some L in S has A before B whenever A had ended before B began.
 *   3. All events but the first ones of calls happen as soon as P allows. An event that happens earlier keeps
 *      no other event from happening, and only lets calls end earlier: more is then in order, and fewer L
 *      survive. So this loses no counterexample.
 *   4. What is left to choose is the order in which the calls begin. When B begins, those L die that have B
 *      before a call which has ended. If all are dead, the execution that was chosen is not explained: its
 *      events are a linear extension of P, hence an execution of the program.
 *   5. What can still happen depends on how many calls of each thread have begun, and on who survives: each
 *      such pair is looked at once. This is the memoisation of Lowe's version of Wing and Gong's search, with
 *      the roles exchanged: there an order is looked for that explains one execution, here an execution that
 *      no order explains.
 * test/suites/clients.py compares this with all interleavings.
 */
#include "client/linearize.h"

#include <string.h>

#include "base/hash_set.h"
#include "base/memory.h"
#include "machine/threads.h"

enum { MOST_ORDERS = 1000000 };

typedef struct calls {
    const mz_history *history;
    uint32_t count; /* of them */
    uint32_t of_thread[MZ_CLIENT_THREADS + 1][MZ_CLIENT_CALLS], length[MZ_CLIENT_THREADS + 1];
    bool returned[MZ_CLIENT_CALLS], excused[MZ_CLIENT_CALLS]; /* the result may be a failure without effect */
    /* How many calls of a thread have begun when this one can begin, and when it ends. */
    uint8_t needs[MZ_CLIENT_CALLS][MZ_CLIENT_THREADS + 1], ends[MZ_CLIENT_CALLS][MZ_CLIENT_THREADS + 1];
} calls;

/* An order of calls: where each stands. Calls that it leaves out have failed without an effect. */
typedef struct explanation {
    uint32_t calls; /* a bit for each */
    uint8_t place[MZ_CLIENT_CALLS];
} explanation;

typedef struct game {
    const mz_explaining *how;
    calls c;
    explanation *orders; /* S */
    size_t order_count, order_capacity;
    uint32_t waits_last; /* a call that is to wait behind all others; UINT32_MAX: none */
    uint8_t *overtaken;  /* [order][call]: how often */
    mz_hash_set seen;
    uint32_t begun[MZ_CLIENT_THREADS + 1];
    uint32_t sequence[MZ_CLIENT_CALLS], sequence_length; /* calls, as they began */
} game;

static const mz_client_call *call(const game *g, uint32_t i)
{
    return &g->c.history->calls[i];
}

/* ---- the order of the trace, as far as calls go ---------------------------------------------------------
 */

static bool has_events(const mz_client_call *c)
{
    return !c->returned || c->after > c->before;
}

/* How many calls of the thread have begun when so many of its events have happened? A call without events
 * stands before the next event of its thread. */
static uint32_t begun_by(const calls *c, uint32_t thread, uint32_t events)
{
    uint32_t begun = 0;
    while (begun < c->length[thread] && c->history->calls[c->of_thread[thread][begun]].before < events)
        begun++;
    return begun;
}

/* Fills `needs` and `ends`. */
static void relate(calls *c, mz_knows *knows, const void *order)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const mz_client_call *a = &c->history->calls[i];
        uint32_t first = has_events(a) ? a->before + 1 : a->before, last = a->returned ? a->after : first;
        for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++) {
            if (c->length[t] == 0)
                continue;
            uint32_t other = c->history->calls[c->of_thread[t][0]].runs_in;
            c->needs[i][t] = (uint8_t)begun_by(c, t, knows(order, a->runs_in, first, other));
            c->ends[i][t] = (uint8_t)begun_by(c, t, knows(order, a->runs_in, last, other));
        }
        uint32_t own = 0;
        while (c->of_thread[a->thread][own] != i)
            own++;
        c->needs[i][a->thread] = (uint8_t)own;
        c->ends[i][a->thread] = (uint8_t)(own + 1);
    }
}

static void take_calls(game *g, const mz_history *history)
{
    calls *c = &g->c;
    c->history = history;
    for (uint32_t i = 0; i < history->count; i++) {
        const mz_client_call *a = &history->calls[i];
        const char *excuse = g->how->excused ? g->how->excused[a->operation] : NULL;
        c->of_thread[a->thread][c->length[a->thread]++] = i;
        c->returned[i] = a->returned;
        c->excused[i] = a->returned && excuse && strcmp(excuse, a->result) == 0;
    }
    c->count = history->count;
}

/* ---- the orders that explain the results ----------------------------------------------------------------
 */

typedef struct orders_search {
    uint32_t used; /* calls that are placed, or left out: a bit for each */
    uint32_t placed;
    explanation now;
} orders_search;

static bool is_next_of_thread(const game *g, const orders_search *o, uint32_t i)
{
    uint32_t thread = call(g, i)->thread;
    for (uint32_t k = 0; g->c.of_thread[thread][k] != i; k++) {
        uint32_t earlier = g->c.of_thread[thread][k];
        if (g->c.returned[earlier] && !(o->used >> earlier & 1))
            return false;
    }
    return true;
}

static bool keeps_threads(const game *g)
{
    return g->how->criterion != MZ_QUIESCENT && g->how->out_of_order == 0;
}

static void keep_order(game *g, const orders_search *o, uint32_t node)
{
    if (g->waits_last != UINT32_MAX) {
        uint32_t waits = mz_sequential_follow(g->how->sequential, node, call(g, g->waits_last)->operation);
        if (!waits || g->how->sequential->nodes[waits].end != MZ_SEQUENTIAL_WAITS)
            return;
    }
    g->orders = mz_grow(g->orders, &g->order_capacity, g->order_count + 1, sizeof *g->orders);
    g->orders[g->order_count++] = o->now;
}

static void find_orders(game *g, orders_search *o, uint32_t node)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < g->c.count && g->order_count < MOST_ORDERS; i++) {
        if (!g->c.returned[i] || o->used >> i & 1)
            continue;
        is_whole = false;
        if (keeps_threads(g) && !is_next_of_thread(g, o, i))
            continue;
        uint32_t next = mz_sequential_follow(g->how->sequential, node, call(g, i)->operation);
        const mz_sequential_node *n = &g->how->sequential->nodes[next];
        if (!next || n->end != MZ_SEQUENTIAL_RETURNED || strcmp(n->result, call(g, i)->result) != 0)
            continue;
        o->used |= 1u << i;
        o->now.calls |= 1u << i;
        o->now.place[i] = (uint8_t)o->placed++;
        find_orders(g, o, next);
        o->placed--;
        o->now.calls &= ~(1u << i);
        o->used &= ~(1u << i);
    }
    if (is_whole)
        keep_order(g, o, node);
}

/* A call that may have failed without an effect may also have returned the same with one: each of these, from
 * the i-th call on, is left out, or not. */
static void leave_out(game *g, orders_search *o, uint32_t i)
{
    while (i < g->c.count && !g->c.excused[i])
        i++;
    if (i == g->c.count) {
        find_orders(g, o, 0);
        return;
    }
    leave_out(g, o, i + 1);
    o->used |= 1u << i;
    leave_out(g, o, i + 1);
    o->used &= ~(1u << i);
}

/* ---- the game -------------------------------------------------------------------------------------------
 */

static bool is_begun(const game *g, const uint8_t *needed)
{
    for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++)
        if (g->begun[t] < needed[t])
            return false;
    return true;
}

static bool has_ended(const game *g, uint32_t i)
{
    return call(g, i)->returned && is_begun(g, g->c.ends[i]);
}

/* Of all that have begun. */
static bool is_quiet(const game *g)
{
    for (uint32_t i = 0; i < g->sequence_length; i++)
        if (!has_ended(g, g->sequence[i]))
            return false;
    return true;
}

/* The calls (bits) that b has to come after, now that it begins. */
static uint32_t before_now(const game *g, uint32_t quiet)
{
    uint32_t ended = 0;
    for (uint32_t i = 0; i < g->c.count; i++)
        if (g->c.returned[i] && has_ended(g, i))
            ended |= 1u << i;
    return g->how->criterion == MZ_SEQUENTIAL ? 0 : g->how->criterion == MZ_QUIESCENT ? ended & quiet : ended;
}

/* Does the order survive that b begins, after these calls have ended? With --out-of-order a call that is
 * overtaken is counted: in *counts, of this order. */
static bool survives(const game *g, const explanation *e, uint32_t b, uint32_t earlier, uint8_t *counts)
{
    bool alive = true;
    for (uint32_t a = 0; a < g->c.count && e->calls >> b & 1; a++) {
        if (!(earlier & e->calls & 1u << a) || e->place[a] < e->place[b])
            continue;
        if (g->how->out_of_order == 0 || ++counts[a] > g->how->out_of_order)
            alive = false;
    }
    return alive;
}

typedef struct survivors {
    uint32_t *orders;
    size_t count;
    uint8_t *overtaken; /* [survivor][call] */
} survivors;

static survivors let_begin(const game *g, const survivors *now, uint32_t b, uint32_t earlier)
{
    survivors next = {.orders = mz_allocate(now->count * sizeof *next.orders + 1),
                      .overtaken = mz_allocate(now->count * MZ_CLIENT_CALLS + 1)};
    for (size_t i = 0; i < now->count; i++) {
        uint8_t *counts = next.overtaken + next.count * MZ_CLIENT_CALLS;
        memcpy(counts, now->overtaken + i * MZ_CLIENT_CALLS, MZ_CLIENT_CALLS);
        if (!survives(g, &g->orders[now->orders[i]], b, earlier, counts))
            continue;
        next.orders[next.count++] = now->orders[i];
    }
    return next;
}

static void release(survivors *s)
{
    mz_release(s->orders);
    mz_release(s->overtaken);
}

/* Has this been looked at? */
static bool is_seen(game *g, const survivors *s, uint32_t quiet)
{
    mz_hash hash = mz_hash_add(mz_hash_start(1), quiet);
    for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++)
        hash = mz_hash_add(hash, g->begun[t]);
    for (size_t i = 0; i < s->count; i++) {
        hash = mz_hash_add(hash, s->orders[i]);
        for (uint32_t k = 0; g->how->out_of_order > 0 && k < MZ_CLIENT_CALLS; k++)
            hash = mz_hash_add(hash, s->overtaken[i * MZ_CLIENT_CALLS + k]);
    }
    return !mz_hash_set_add(&g->seen, hash);
}

/* Can the calls begin in such a way that no order survives? Then g->sequence begins so. `quiet`: those (bits)
 * that had begun when nothing ran, the last time. */
static bool refute(game *g, const survivors *now, uint32_t quiet)
{
    if (now->count == 0)
        return true;
    if (is_seen(g, now, quiet))
        return false;
    if (is_quiet(g))
        for (uint32_t i = 0; i < g->sequence_length; i++)
            quiet |= 1u << g->sequence[i];
    for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++) {
        if (g->begun[t] == g->c.length[t])
            continue;
        uint32_t b = g->c.of_thread[t][g->begun[t]];
        if (!is_begun(g, g->c.needs[b]))
            continue;
        survivors next = let_begin(g, now, b, before_now(g, quiet));
        g->begun[t]++;
        g->sequence[g->sequence_length++] = b;
        bool refuted = refute(g, &next, quiet);
        release(&next);
        if (refuted)
            return true;
        g->begun[t]--;
        g->sequence_length--;
    }
    return false;
}

/* ---- an execution that is not explained -----------------------------------------------------------------
 */

/* One event after the other: all that need not wait, then the next call's first one. */
typedef struct unrolling {
    game *g;
    mz_knows *knows;
    const void *order;
    mz_timing *timing;
    uint32_t done[MZ_MAX_THREADS];
    uint32_t next; /* in g->sequence */
    size_t length;
} unrolling;

/* The call of which it is the first event; UINT32_MAX: of none. */
static uint32_t begins_with(const game *g, uint32_t thread, uint32_t index)
{
    for (uint32_t i = 0; i < g->c.count; i++)
        if (call(g, i)->runs_in == thread && call(g, i)->before + 1 == index && has_events(call(g, i)))
            return i;
    return UINT32_MAX;
}

static bool can_happen(const unrolling *u, uint32_t thread, uint32_t index)
{
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        if (u->knows(u->order, thread, index, t) > u->done[t] + (t == thread))
            return false;
    return u->knows(u->order, thread, index, thread) == index;
}

static void happen(unrolling *u, uint32_t thread)
{
    u->done[thread]++;
    if (u->timing->schedule)
        u->timing->schedule[u->length] = (uint16_t)thread;
    u->length++;
}

static void note_ends(unrolling *u)
{
    for (uint32_t i = 0; i < u->next; i++) {
        uint32_t a = u->g->sequence[i];
        if (u->timing->ends[a] == UINT32_MAX && call(u->g, a)->returned &&
            u->done[call(u->g, a)->runs_in] >= call(u->g, a)->after)
            u->timing->ends[a] = u->timing->moments++;
    }
}

static void run_eagerly(unrolling *u)
{
    for (bool some = true; some;) {
        some = false;
        for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
            while (begins_with(u->g, t, u->done[t] + 1) == UINT32_MAX && can_happen(u, t, u->done[t] + 1)) {
                happen(u, t);
                some = true;
            }
    }
    note_ends(u);
}

/* Those that were not chosen begin in any order. */
static void complete_sequence(game *g)
{
    for (bool some = true; some;) {
        some = false;
        for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++) {
            uint32_t b = g->begun[t] < g->c.length[t] ? g->c.of_thread[t][g->begun[t]] : UINT32_MAX;
            if (b == UINT32_MAX || !is_begun(g, g->c.needs[b]))
                continue;
            g->begun[t]++;
            g->sequence[g->sequence_length++] = b;
            some = true;
        }
    }
}

static void unroll(game *g, mz_knows *knows, const void *order, mz_timing *timing)
{
    unrolling u = {.g = g, .knows = knows, .order = order, .timing = timing};
    for (uint32_t i = 0; i < MZ_CLIENT_CALLS; i++)
        timing->begins[i] = timing->ends[i] = UINT32_MAX;
    timing->moments = 0;
    complete_sequence(g);
    run_eagerly(&u);
    while (u.next < g->sequence_length) {
        uint32_t b = g->sequence[u.next++];
        timing->begins[b] = timing->moments++;
        if (has_events(call(g, b)))
            happen(&u, call(g, b)->runs_in);
        run_eagerly(&u);
    }
}

/* ---- asking ---------------------------------------------------------------------------------------------
 */

static bool is_refuted(game *g)
{
    orders_search o = {0};
    leave_out(g, &o, 0);
    survivors all = {.orders = mz_allocate(g->order_count * sizeof *all.orders + 1),
                     .count = g->order_count,
                     .overtaken = mz_allocate_zeroed(g->order_count * MZ_CLIENT_CALLS + 1, 1)};
    for (size_t i = 0; i < g->order_count; i++)
        all.orders[i] = (uint32_t)i;
    bool refuted = refute(g, &all, 0);
    release(&all);
    return refuted;
}

static void release_game(game *g)
{
    mz_release(g->orders);
    mz_hash_set_release(&g->seen);
}

/* Of all that decides whether it is explained. */
static mz_hash fingerprint(const game *g)
{
    const calls *c = &g->c;
    mz_hash hash = mz_hash_start(c->count);
    for (uint32_t i = 0; i < c->count; i++) {
        const mz_client_call *a = call(g, i);
        hash = mz_hash_add(hash, (uint64_t)a->thread << 33 | (uint64_t)a->operation << 1 | a->returned);
        hash = mz_hash_add_bytes(hash, a->result, strlen(a->result));
        hash = mz_hash_add_bytes(hash, c->needs[i], sizeof c->needs[i]);
        hash = mz_hash_add_bytes(hash, c->ends[i], sizeof c->ends[i]);
    }
    return hash;
}

bool mz_explain(const mz_explaining *how, const mz_history *history, mz_knows *knows, const void *order,
                mz_timing *timing)
{
    game g = {.how = how, .waits_last = UINT32_MAX};
    take_calls(&g, history);
    relate(&g.c, knows, order);
    mz_hash hash = fingerprint(&g);
    if (how->explained && mz_hash_set_has(how->explained, hash))
        return true;
    bool refuted = is_refuted(&g);
    timing->in_any_order = g.order_count > 0;
    if (!refuted && how->explained)
        mz_hash_set_add(how->explained, hash);
    if (refuted)
        unroll(&g, knows, order, timing);
    release_game(&g);
    return !refuted;
}

bool mz_explain_waiting(const mz_explaining *how, const mz_history *history, mz_knows *knows,
                        const void *order)
{
    bool explained = true;
    for (uint32_t i = 0; i < history->count && explained; i++) {
        if (history->calls[i].returned)
            continue;
        game g = {.how = how, .waits_last = i};
        take_calls(&g, history);
        relate(&g.c, knows, order);
        explained = !is_refuted(&g);
        release_game(&g);
    }
    return explained;
}

/* ---- words about it -------------------------------------------------------------------------------------
 */

static uint32_t most_returned(const game *g, uint32_t used, uint32_t node, uint32_t operation,
                              const char *result)
{
    uint32_t most = 0;
    orders_search o = {.used = used};
    for (uint32_t i = 0; i < g->c.count; i++) {
        if (used >> i & 1 || !is_next_of_thread(g, &o, i))
            continue;
        uint32_t next = mz_sequential_follow(g->how->sequential, node, call(g, i)->operation);
        const mz_sequential_node *n = &g->how->sequential->nodes[next];
        if (!next || n->end != MZ_SEQUENTIAL_RETURNED)
            continue;
        uint32_t here = (call(g, i)->operation == operation && strcmp(n->result, result) == 0) +
                        most_returned(g, used | 1u << i, next, operation, result);
        most = here > most ? here : most;
    }
    return most;
}

uint32_t mz_most_returned(const mz_explaining *how, const mz_history *history, uint32_t operation,
                          const char *result)
{
    game g = {.how = how};
    take_calls(&g, history);
    return most_returned(&g, 0, 0, operation, result);
}
