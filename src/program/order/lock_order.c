/* The orders in which threads take locks. If one takes b while it holds a, and another one a while it holds
 * b, the two can wait for each other, if not in this program, then in one where they come at another time:
 * that is worth a warning. The same goes for longer cycles.
 *
 * An edge a → b is noted when a thread takes b, waiting for it if need be, while it holds a; in an atomic
 * section, if it held a in front of that, where it waits. Edges form a cycle that can come to a deadlock only
 * if (1) they belong to different threads: one does not wait for itself here, (2) where one waits for a lock,
 * the next one holds it in a way that makes it wait: two readers do not, (3) no two threads hold a third lock
 * meanwhile, one of them not only for reading: with that gate they would not be there at the same time. What
 * a thread does while it is alone is no part of a deadlock and not noted. Edges are kept over all executions.
 * Objects are told apart by their addresses: locks on the heap or on stacks that have the same one in two
 * executions count as the same. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/names.h"
#include "program/describe/suppressions.h"
#include "program/describe/warnings.h"
#include "program/order/held.h"
#include "program/world/causes.h"
#include "program/world/world.h"

enum { MOST_GATES = 8, MOST_EDGES = 4096, LONGEST_CYCLE = 8, MOST_CYCLES = 100 };

typedef struct gate {
    uintptr_t object;
    bool shared;
} gate;

typedef struct mz__lock_edge {
    uintptr_t from, to;
    bool from_shared, to_shared;
    uint32_t thread;
    uintptr_t from_pc, to_pc;
    char *from_name, *to_name;
    gate gates[MOST_GATES]; /* what else it holds */
    uint32_t gate_count;
} mz__lock_edge;

/* ---- noting edges ------------------------------------------------------------------------------------- */

static char *name_of(uintptr_t object)
{
    mz_text text = {0};
    mz__name_object(object, &text);
    char *name = mz_copy_string(mz_text_string(&text));
    mz_text_release(&text);
    return name;
}

static bool is_same(const mz__lock_edge *a, const mz__lock_edge *b)
{
    bool same = a->from == b->from && a->to == b->to && a->from_shared == b->from_shared &&
                a->to_shared == b->to_shared && a->thread == b->thread && a->gate_count == b->gate_count;
    for (uint32_t i = 0; same && i < a->gate_count; i++)
        same = a->gates[i].object == b->gates[i].object && a->gates[i].shared == b->gates[i].shared;
    return same;
}

/* False if it is known, or there is no room. */
static bool add_new_edge(const mz__lock_edge *edge)
{
    if (mz__w.lock_edge_count == MOST_EDGES)
        return false;
    for (size_t i = 0; i < mz__w.lock_edge_count; i++)
        if (is_same(&mz__w.lock_edges[i], edge))
            return false;
    mz__w.lock_edges = mz_grow(mz__w.lock_edges, &mz__w.lock_edge_capacity, mz__w.lock_edge_count + 1,
                               sizeof *mz__w.lock_edges);
    mz__w.lock_edges[mz__w.lock_edge_count++] = *edge;
    return true;
}

static void add_edge(const mz__lock_edge *edge)
{
    if (!add_new_edge(edge))
        return;
    mz__lock_edge *added = &mz__w.lock_edges[mz__w.lock_edge_count - 1];
    added->from_name = name_of(edge->from);
    added->to_name = name_of(edge->to);
}

/* From each lock that it held to the new one; the others are the gates. Gates that find no place are left
 * out: that can only mean one warning more. */
static void add_edges(const mz__thread *t, uint32_t held, const void *object, bool shared)
{
    for (uint32_t link = held; link; link = t->holds[link].outer) {
        const mz__hold *hold = &t->holds[link];
        mz__lock_edge edge = {.from = hold->object,
                              .from_shared = hold->shared,
                              .from_pc = hold->pc,
                              .to = (uintptr_t)object,
                              .to_shared = shared,
                              .to_pc = mz__call_in_program(),
                              .thread = t->number};
        for (uint32_t other = held; other; other = t->holds[other].outer)
            if (other != link && edge.gate_count < MOST_GATES)
                edge.gates[edge.gate_count++] = (gate){t->holds[other].object, t->holds[other].shared};
        if (edge.from != edge.to) /* readers may come twice */
            add_edge(&edge);
    }
}

void mz__note_lock_order(uint32_t link, const void *object, bool shared)
{
    const mz__thread *t = mz__w.current;
    if (mz__w.trying || mz__w.state.thread_count <= 1)
        return;
    uint64_t key = mz_mix64(t->holds[link].set ^ mz_mix64((uintptr_t)object << 1 | shared) * 3) + t->number;
    uint64_t *known = &mz__w.known_lock_orders[key % MZ__KNOWN_LOCK_ORDERS];
    if (*known == key || mz__alone())
        return;
    *known = key; /* what was there before is looked at again, which does no harm */
    add_edges(t, link, object, shared);
}

/* ---- what other processes have seen (testimony.c) ----------------------------------------------------- */

static void write_edge(const mz__lock_edge *e, mz_bytes *out)
{
    mz_bytes_add_number(out, e->from);
    mz_bytes_add_number(out, e->to);
    mz_bytes_add_number(out, (e->from_shared ? 1u : 0u) | (e->to_shared ? 2u : 0u));
    mz_bytes_add_number(out, e->thread);
    mz_bytes_add_signed(out, (int64_t)(e->from_pc - mz__w.memory.code));
    mz_bytes_add_signed(out, (int64_t)(e->to_pc - mz__w.memory.code));
    mz_bytes_add_number(out, e->gate_count);
    for (uint32_t i = 0; i < e->gate_count; i++) {
        mz_bytes_add_number(out, e->gates[i].object);
        mz_bytes_add_number(out, e->gates[i].shared);
    }
    mz_bytes_add_number(out, strlen(e->from_name));
    mz_bytes_add(out, e->from_name, strlen(e->from_name));
    mz_bytes_add_number(out, strlen(e->to_name));
    mz_bytes_add(out, e->to_name, strlen(e->to_name));
}

void mz__write_lock_orders(mz_bytes *out)
{
    mz_bytes_add_number(out, mz__w.lock_edge_count);
    for (size_t i = 0; i < mz__w.lock_edge_count; i++)
        write_edge(&mz__w.lock_edges[i], out);
}

static char *read_name(mz_byte_reader *r)
{
    size_t length = mz_read_count(r);
    char *name = mz_allocate_zeroed(length + 1, 1);
    mz_read_bytes(r, name, length);
    return name;
}

static void hear_edge(mz_byte_reader *r)
{
    mz__lock_edge e = {.from = (uintptr_t)mz_read_number(r), .to = (uintptr_t)mz_read_number(r)};
    uint64_t shared = mz_read_number_to(r, 3);
    e.from_shared = shared & 1;
    e.to_shared = shared >> 1;
    e.thread = (uint32_t)mz_read_number_to(r, MZ_MAX_THREADS);
    e.from_pc = mz__w.memory.code + (uintptr_t)mz_read_signed(r);
    e.to_pc = mz__w.memory.code + (uintptr_t)mz_read_signed(r);
    e.gate_count = (uint32_t)mz_read_number_to(r, MOST_GATES);
    for (uint32_t i = 0; i < e.gate_count; i++) {
        e.gates[i].object = (uintptr_t)mz_read_number(r);
        e.gates[i].shared = mz_read_number_to(r, 1);
    }
    e.from_name = read_name(r);
    e.to_name = read_name(r);
    if (r->failed || !add_new_edge(&e)) {
        mz_release(e.from_name);
        mz_release(e.to_name);
    }
}

void mz__hear_lock_orders(mz_byte_reader *r)
{
    for (uint64_t count = mz_read_number_to(r, MOST_EDGES); count > 0 && !r->failed; count--)
        hear_edge(r);
}

/* ---- cycles ------------------------------------------------------------------------------------------- */

typedef struct cycle {
    const mz__lock_edge *edges[LONGEST_CYCLE];
    uint32_t length;
    mz_hash_set told; /* by their locks */
    uint32_t told_count;
    uint32_t patience; /* steps that are left: there may be very many cycles */
} cycle;

static bool share_gate(const mz__lock_edge *a, const mz__lock_edge *b)
{
    for (uint32_t i = 0; i < a->gate_count; i++)
        for (uint32_t j = 0; j < b->gate_count; j++)
            if (a->gates[i].object == b->gates[j].object && !(a->gates[i].shared && b->gates[j].shared))
                return true;
    return false;
}

static bool makes_wait(const mz__lock_edge *waiting, const mz__lock_edge *holding)
{
    return waiting->to == holding->from && !(waiting->to_shared && holding->from_shared);
}

static bool fits(const cycle *c, const mz__lock_edge *next)
{
    for (uint32_t i = 0; i < c->length; i++)
        if (c->edges[i]->thread == next->thread || c->edges[i]->from == next->from ||
            share_gate(c->edges[i], next))
            return false;
    return makes_wait(c->edges[c->length - 1], next);
}

/* By one of the locks, or a place where one is taken. */
static bool is_suppressed(const cycle *c)
{
    mz_suppression_name names[LONGEST_CYCLE * (1 + 2 * MZ__NAMES_OF_PLACE)];
    size_t count = 0;
    for (uint32_t i = 0; i < c->length; i++) {
        names[count++] = (mz_suppression_name){.name = c->edges[i]->from_name};
        count += mz__names_of_place(c->edges[i]->from_pc, names + count);
        count += mz__names_of_place(c->edges[i]->to_pc, names + count);
    }
    return mz_suppressed(mz__w.suppressions, MZ_SUPPRESS_LOCK_ORDER, names, count);
}

static void tell(cycle *c)
{
    mz_hash key = mz_hash_start(0);
    for (uint32_t i = 0; i < c->length; i++)
        key = mz_hash_combine(key, mz_hash_add(mz_hash_start(1), c->edges[i]->from));
    if (!mz_hash_set_add(&c->told, key))
        return;
    if (is_suppressed(c))
        return;
    c->told_count++;
    mz_text text = {0};
    mz_text_add(&text, "locks are taken in different orders, which can end in a deadlock: ");
    for (uint32_t i = 0; i < c->length; i++) {
        const mz__lock_edge *e = c->edges[i];
        mz_text_add(&text, "%sthread %u locks %s", i ? "; " : "", e->thread, e->to_name);
        mz__add_place(&text, "", e->to_pc);
        mz_text_add(&text, " while it holds %s", e->from_name);
        mz__add_place(&text, "", e->from_pc);
    }
    mz__warn(MZ_WARN_LOCK_ORDER, c->edges[0]->to_pc, "%s", mz_text_string(&text));
    mz_text_release(&text);
}

/* Each cycle is found once: from its lock with the lowest address. */
static void extend(cycle *c)
{
    for (size_t i = 0; i < mz__w.lock_edge_count; i++) {
        const mz__lock_edge *next = &mz__w.lock_edges[i];
        if (c->patience == 0 || c->told_count == MOST_CYCLES)
            return;
        c->patience--;
        if (next->from <= c->edges[0]->from || !fits(c, next))
            continue;
        c->edges[c->length++] = next;
        if (makes_wait(next, c->edges[0]))
            tell(c);
        else if (c->length < LONGEST_CYCLE)
            extend(c);
        c->length--;
    }
}

/* Whoever has found them first. */
static int compare_edges(const void *a, const void *b)
{
    const mz__lock_edge *x = a, *y = b;
    const uintptr_t of_x[] = {x->from, x->to, x->thread, x->from_pc, x->to_pc, x->gate_count},
                    of_y[] = {y->from, y->to, y->thread, y->from_pc, y->to_pc, y->gate_count};
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

void mz__warn_of_lock_orders(void)
{
    qsort(mz__w.lock_edges, mz__w.lock_edge_count, sizeof *mz__w.lock_edges, compare_edges);
    cycle c = {.length = 1, .patience = 10000000};
    for (size_t i = 0; i < mz__w.lock_edge_count; i++) {
        c.edges[0] = &mz__w.lock_edges[i];
        extend(&c);
    }
    mz_hash_set_release(&c.told);
}
