#include "oracle/weak/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/memory.h"
#include "oracle/weak/axioms.h"

enum { MOST_EVENTS = 40, MOST_GRAPHS = 6000, MOST_ORDERS = 40000 };

typedef struct ref_event {
    weak_label label;
    int8_t from_thread, from_index, chosen;
    bool is_update;
} ref_event;

/* Events and what reads read from; without the order of writes. */
typedef struct candidate {
    weak_thread threads[MOST_THREADS];
    uint32_t counts[MOST_THREADS];
    ref_event events[MOST_THREADS][MOST_EVENTS];
} candidate;

typedef struct enumeration {
    const weak_program *program;
    weak_graphs *graphs;
    string_set seen;
    uint64_t candidates, orders;
    bool too_large;
    /* Of one candidate: its events by number, and the order of writes so far. */
    axioms axioms;
    int number[MOST_THREADS][MOST_EVENTS];
    int order[MOST_LOCATIONS][64];
    uint32_t order_length[MOST_LOCATIONS], writes[MOST_LOCATIONS];
} enumeration;

static ref_event *add(candidate *c, uint32_t t, const weak_label *label)
{
    ref_event *event = &c->events[t][c->counts[t]++];
    *event = (ref_event){.label = *label};
    event->is_update = label->kind == 'W' && c->threads[t].in_update;
    return event;
}

/* Every thread up to where it reads or chooses. */
static void extend(const weak_program *p, candidate *c)
{
    weak_label label;
    for (uint32_t t = 0; t < p->threads; t++)
        while (weak_next(p, t, &c->threads[t], &label) && label.kind != 'R' && label.kind != 'C') {
            add(c, t, &label);
            weak_happens(p, t, &c->threads[t], 0);
        }
}

static void write_events(const candidate *c, mz_text *out)
{
    for (uint32_t t = 0; t < MOST_THREADS; t++) {
        for (uint32_t k = 0; k < c->counts[t]; k++) {
            const ref_event *e = &c->events[t][k];
            if (e->label.kind == 'R')
                mz_text_add(out, "%u.%u<%d.%d ", t, k, e->from_thread, e->from_index);
            else if (e->label.kind == 'C')
                mz_text_add(out, "%u.%u=%d ", t, k, e->chosen);
        }
        mz_text_add(out, "%u; ", c->counts[t]);
    }
}

/* ---- the orders of writes ------------------------------------------------------------------------------ */

static int number_of(const enumeration *n, int thread, int index, uint32_t location)
{
    return thread < 0 ? (int)location : n->number[thread][index];
}

static void relate(relation *r, int e, int f)
{
    r->row[e] |= UINT64_C(1) << f;
}

/* False if there are too many events. */
static bool number_events(enumeration *n, const candidate *c)
{
    axioms *a = &n->axioms;
    *a = (axioms){.count = MOST_LOCATIONS};
    for (uint32_t x = 0; x < MOST_LOCATIONS; x++) {
        a->labels[x] = (weak_label){.kind = 'W', .location = (uint8_t)x};
        a->thread[x] = -1;
        a->written_by[x] = -1;
        n->writes[x] = 0;
    }
    for (uint32_t t = 0; t < MOST_THREADS; t++)
        for (uint32_t k = 0; k < c->counts[t]; k++) {
            if (a->count == 64)
                return false;
            int e = n->number[t][k] = (int)a->count++;
            const ref_event *event = &c->events[t][k];
            a->labels[e] = event->label;
            a->thread[e] = (int)t;
            a->is_update[e] = event->is_update;
            a->written_by[e] = -1;
            if (event->is_update) {
                a->is_update[e - 1] = true;
                a->written_by[e - 1] = e;
            }
            n->writes[event->label.location] += event->label.kind == 'W';
            for (int f = 0; f < e; f++)
                if (a->thread[f] < 0 || a->thread[f] == (int)t)
                    relate(&a->po, f, e);
        }
    for (uint32_t t = 0; t < MOST_THREADS; t++)
        for (uint32_t k = 0; k < c->counts[t]; k++) {
            const ref_event *event = &c->events[t][k];
            if (event->label.kind == 'R')
                relate(&a->rf, number_of(n, event->from_thread, event->from_index, event->label.location),
                       n->number[t][k]);
        }
    return true;
}

/* Who waits for a mutex waits rightly only if it is held at the end; for a semaphore, if it is 0. */
static bool waits_rightly(enumeration *n, const candidate *c, bool *blocked)
{
    *blocked = false;
    for (uint32_t t = 0; t < n->program->threads; t++) {
        weak_thread thread = c->threads[t];
        weak_label label;
        *blocked |= thread.status == WEAK_PRUNED;
        if (!weak_next(n->program, t, &thread, &label))
            continue;
        *blocked = true;
        uint32_t x = label.location;
        bool is_zero = n->axioms.labels[n->order[x][n->order_length[x] - 1]].value == 0;
        if (is_zero != label.waits)
            return false;
    }
    return true;
}

static void judge(enumeration *n, const candidate *c)
{
    static bool (*const models[])(const axioms *) = {weak_is_sc, weak_is_tso, weak_is_rc11};
    bool blocked;
    if (!waits_rightly(n, c, &blocked))
        return;
    axioms *a = &n->axioms;
    memset(&a->mo, 0, sizeof a->mo);
    mz_text text = {0};
    write_events(c, &text);
    for (uint32_t x = 0; x < MOST_LOCATIONS; x++) {
        for (uint32_t i = 0; i < n->order_length[x]; i++)
            for (uint32_t j = i + 1; j < n->order_length[x]; j++)
                relate(&a->mo, n->order[x][i], n->order[x][j]);
        for (uint32_t i = 1; i < n->order_length[x]; i++)
            for (uint32_t t = 0; t < MOST_THREADS; t++)
                for (uint32_t k = 0; k < c->counts[t]; k++)
                    if (n->number[t][k] == n->order[x][i])
                        mz_text_add(&text, "%u.%u ", t, k);
        mz_text_add(&text, "| ");
    }
    for (int m = 0; m < WEAK_MODELS; m++)
        if (models[m](a))
            string_set_add(blocked ? &n->graphs[m].blocked : &n->graphs[m].complete, mz_text_string(&text),
                           text.length);
    mz_text_release(&text);
}

/* All orders of the writes of the locations from this one on. The writes of a thread stand in program order,
 * and an update directly behind what it has read: coherence and atomicity, which every model asks for, imply
 * it. */
static void order_writes(enumeration *n, const candidate *c, uint32_t x)
{
    if (n->too_large)
        return;
    if (x == MOST_LOCATIONS) {
        n->too_large = ++n->orders > MOST_ORDERS;
        judge(n, c);
        return;
    }
    if (n->order_length[x] == n->writes[x] + 1) {
        uint32_t next = x + 1;
        if (next < MOST_LOCATIONS) {
            n->order[next][0] = (int)next;
            n->order_length[next] = 1;
        }
        order_writes(n, c, next);
        return;
    }
    const axioms *a = &n->axioms;
    int last = n->order[x][n->order_length[x] - 1];
    for (int e = MOST_LOCATIONS; e < (int)a->count; e++) {
        bool fits = a->labels[e].kind == 'W' && a->labels[e].location == x;
        for (uint32_t i = 0; i < n->order_length[x]; i++)
            fits &= n->order[x][i] != e;
        for (int f = MOST_LOCATIONS; f < e && fits; f++) { /* those before it in its thread are there */
            bool there =
                a->thread[f] != a->thread[e] || a->labels[f].kind != 'W' || a->labels[f].location != x;
            for (uint32_t i = 0; i < n->order_length[x]; i++)
                there |= n->order[x][i] == f;
            fits &= there;
        }
        if (fits && a->is_update[e])
            fits = a->rf.row[last] >> (e - 1) & 1;
        if (!fits)
            continue;
        n->order[x][n->order_length[x]++] = e;
        order_writes(n, c, x);
        n->order_length[x]--;
    }
}

/* ---- what reads read from ------------------------------------------------------------------------------ */

static void enumerate(enumeration *n, const candidate *c);

static void read_from(enumeration *n, const candidate *c, uint32_t t, const weak_label *label, int thread,
                      int index, int8_t value)
{
    if ((label->mutex && value != 0) || (label->waits && value == 0))
        return;
    candidate *next = malloc(sizeof *next);
    *next = *c;
    ref_event *event = add(next, t, label);
    event->from_thread = (int8_t)thread;
    event->from_index = (int8_t)index;
    bool writes = weak_happens(n->program, t, &next->threads[t], value);
    if ((label->conditional && !writes) || (label->semaphore && label->order == MZ_ACQUIRE && value == 0))
        event->label.order = label->failure_order;
    extend(n->program, next);
    enumerate(n, next);
    free(next);
}

static void choose(enumeration *n, const candidate *c, uint32_t t, const weak_label *label, int8_t value)
{
    candidate *next = malloc(sizeof *next);
    *next = *c;
    add(next, t, label)->chosen = value;
    weak_happens(n->program, t, &next->threads[t], value);
    extend(n->program, next);
    enumerate(n, next);
    free(next);
}

static void enumerate(enumeration *n, const candidate *c)
{
    mz_text text = {0};
    write_events(c, &text);
    bool is_new = string_set_add(&n->seen, mz_text_string(&text), text.length);
    mz_text_release(&text);
    n->too_large |= n->seen.count > MOST_GRAPHS;
    if (!is_new || n->too_large)
        return;
    bool stuck = true;
    for (uint32_t t = 0; t < n->program->threads; t++) {
        weak_thread thread = c->threads[t];
        weak_label label;
        if (!weak_next(n->program, t, &thread, &label))
            continue;
        stuck &= label.mutex || label.waits;
        if (label.kind == 'C') {
            choose(n, c, t, &label, 0);
            choose(n, c, t, &label, 1);
            continue;
        }
        read_from(n, c, t, &label, -1, 0, 0);
        for (uint32_t u = 0; u < n->program->threads; u++)
            for (uint32_t k = 0; k < c->counts[u]; k++) {
                const weak_label *w = &c->events[u][k].label;
                if (w->kind == 'W' && w->location == label.location)
                    read_from(n, c, t, &label, (int)u, (int)k, w->value);
            }
    }
    if (!stuck)
        return;
    if (!number_events(n, c)) {
        n->too_large = true;
        return;
    }
    n->order[0][0] = 0;
    n->order_length[0] = 1;
    order_writes(n, c, 0);
}

bool weak_reference(const weak_program *program, weak_graphs graphs[WEAK_MODELS])
{
    enumeration *n = calloc(1, sizeof *n);
    n->program = program;
    n->graphs = graphs;
    candidate *first = calloc(1, sizeof *first);
    extend(program, first);
    enumerate(n, first);
    bool complete = !n->too_large;
    string_set_release(&n->seen);
    free(first);
    free(n);
    return complete;
}
