/* The children of a graph, for reverse search over graphs (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
 * POPL 2022, call it TruSt).
 *
 * The next operation is a function of the graph alone. It may read from every write that is there, and write
 * at every place in mo: *forward* children. And what it writes may be read by reads that are there already: a
 * *revisit*. Then the read r reads from the new write w, and what was added after r goes, unless w is not
 * possible without it: P, what is before w in po ∪ rf.
 *
 * Each consistent graph has one parent. From the graph of a revisit one would come back to the graph before
 * it by taking w away, letting r read what it would have read by default, and adding what was deleted by
 * default. So only if all of that is *maximal*, as if by default, is the revisit made: it reads from the last
 * write in mo, or is it, among those that were there (`prev`: those added before it, and P), no read that was
 * there was changed to read from it, and the program chose what it chooses first. That holds for r, too.
 *
 * Mutexes. Taking one reads from giving it back, or, while that has not happened, from taking it: then it
 * waits, promised to be the next one. Giving it back writes directly behind taking it, and revisits nothing.
 * So the two writes of a critical section count as one (mz__section_of()).
 *
 * Other synchronisation objects. Every operation on one is an update, in one order. What would have to wait
 * there is not added: it is none of the next operations, until somebody else has let it go on. Where nobody
 * can go on (explore.c) it is asked whether it could have come earlier: it reads from an older write, and is
 * read by the update that has read that. If this one would then have to wait, its read stays, promised; it
 * goes on when a later operation on the object revisits it. */
#include "algo/graph/children.h"

#include <string.h>

#include "base/memory.h"

void mz__children_init(mz__children *c, const mz__memory_model *model, uint32_t threads)
{
    *c = (mz__children){.model = model};
    c->prefix = mz_allocate_zeroed(threads, sizeof *c->prefix);
}

void mz__children_release(mz__children *c)
{
    for (int i = 0; i < MZ__MODEL_SCRATCH; i++)
        mz__relation_release(&c->scratch[i]);
    mz_release(c->list);
    mz_release(c->prefix);
    mz_release(c->kept);
    mz_release(c->number);
}

/* ---- which ones there are ----------------------------------------------------------------------------- */

static void join(uint32_t *into, const uint32_t *clock, uint32_t threads)
{
    for (uint32_t t = 0; t < threads; t++)
        into[t] = clock[t] > into[t] ? clock[t] : into[t];
}

static bool is_in_prefix(const mz__children *c, const mz__graph *g, int32_t e)
{
    return c->prefix[g->events[e].thread] > g->events[e].index;
}

/* What comes before the operation in the order of a clock, whatever it reads. */
static void find_past(mz__children *c, const mz__graph *g, const mz__upcoming *u, int which)
{
    bool loose = u->is_loose && which == MZ__BY_HB;
    memset(c->prefix, 0, g->threads * sizeof *c->prefix);
    int32_t last = g->last[u->thread];
    if (last != MZ__NO_EVENT)
        join(c->prefix, mz__clock_of(g, last, which), g->threads);
    for (uint32_t i = 0; i < u->cause_count && !loose; i++) {
        int32_t cause = mz__event_of_cause(g, c->causes[u->first_cause + i]);
        if (cause != MZ__NO_EVENT)
            join(c->prefix, mz__clock_of(g, cause, which), g->threads);
    }
}

/* All of that past is in P, and stays where something is revisited: so what cannot be overlooked in this
 * graph cannot be in any child. */
void mz__look_back(mz__children *c, const mz__graph *g, mz__upcoming *u)
{
    u->rank_in_sight = 0;
    if (u->slot >= g->slot_count || mz__rank(g, g->slots[u->slot].newest) == 0)
        return;
    find_past(c, g, u, c->model->coherent_by);
    u->rank_in_sight = mz__rank_in_sight(g, u->slot, c->prefix);
}

/* P: what comes before the new write in po ∪ rf. */
static void find_prefix(mz__children *c, const mz__graph *g, const mz__upcoming *u, int32_t from)
{
    find_past(c, g, u, MZ__BY_RF);
    if (u->reads && from >= 0)
        join(c->prefix, mz__clock_of(g, from, MZ__BY_RF), g->threads);
}

static bool was_there(const mz__children *c, const mz__graph *g, int32_t e, int32_t when)
{
    return e < 0 || e <= when || is_in_prefix(c, g, e);
}

static bool is_maximal(const mz__children *c, const mz__graph *g, int32_t e)
{
    const mz__event *event = &g->events[e];
    bool gives_mutex = event->is_lock && event->kind == MZ__W && !event->is_update;
    if (event->has_choices)
        return false;
    if (event->kind == MZ__F || gives_mutex)
        return true;
    for (int32_t r = 0; r < (int32_t)g->count && event->kind == MZ__W; r++)
        if (g->events[r].kind == MZ__R && g->events[r].slot == event->slot &&
            mz__section_of(g, g->events[r].from) == e && was_there(c, g, r, e))
            return false;
    int32_t write = event->kind == MZ__R ? mz__section_of(g, event->from) : e;
    if (!was_there(c, g, write, e))
        return false;
    for (int32_t w = g->slots[event->slot].newest; w != write && w != MZ__INITIAL; w = g->events[w].older)
        if (was_there(c, g, w, e) && mz__section_of(g, w) != write)
            return false;
    return true;
}

static bool may_read_it(const mz__children *c, const mz__graph *g, const mz__upcoming *u, int32_t r)
{
    const mz__event *event = &g->events[r];
    return event->kind == MZ__R && event->slot == u->slot && event->order != MZ_PLAIN &&
           !is_in_prefix(c, g, r);
}

/* The first of the reads that may be revisited: it is maximal, and so is all behind it that would go. That
 * holds for the others behind it, too. */
static int32_t first_to_revisit(const mz__children *c, const mz__graph *g, const mz__upcoming *u)
{
    int32_t count = (int32_t)g->count, first = 0;
    while (first < count && !may_read_it(c, g, u, first))
        first++;
    int32_t e = count;
    while (e > first && (is_in_prefix(c, g, e - 1) || is_maximal(c, g, e - 1)))
        e--;
    return e;
}

static void add(mz__children *c, const mz__child *child)
{
    c->list = mz_grow(c->list, &c->capacity, c->count + 1, sizeof *c->list);
    c->list[c->count++] = *child;
}

static bool splits_update(const mz__graph *g, uint32_t slot, int32_t older)
{
    int32_t newer = g->slot_count > slot ? mz__newer(g, slot, older) : MZ__NO_EVENT;
    return newer >= 0 && g->events[newer].is_update;
}

/* At every place in mo where a write would not part an update from what it has read; an update only behind
 * what it has read itself. */
static void add_at_places(mz__children *c, const mz__graph *g, mz__child child)
{
    const mz__upcoming *u = &child.upcoming;
    if (!child.writes || u->reads || u->is_plain) {
        bool splits =
            child.writes && child.revisited == MZ__NO_EVENT && splits_update(g, u->slot, child.older);
        if (!splits)
            add(c, &child);
        return;
    }
    int32_t w = g->slot_count > u->slot ? g->slots[u->slot].newest : MZ__INITIAL;
    for (;; w = g->events[w].older) {
        child.older = w;
        bool goes = child.revisited != MZ__NO_EVENT && w > child.revisited && !is_in_prefix(c, g, w);
        if (!goes) /* otherwise it is the same place as the one before */
            add(c, &child);
        if (mz__rank(g, w) <= u->rank_in_sight)
            return;
    }
}

void mz__add_children(mz__children *c, const mz__graph *g, const mz__upcoming *u, int32_t from, bool writes,
                      bool forward)
{
    mz__child child = {
        .upcoming = *u, .writes = writes, .from = from, .older = from, .revisited = MZ__NO_EVENT};
    bool gives_mutex = u->is_lock && !u->reads;
    if (u->is_plain || gives_mutex)
        child.older = g->slot_count > u->slot ? g->slots[u->slot].newest : MZ__INITIAL;
    find_prefix(c, g, u, from);
    if (gives_mutex)
        add(c, &child);
    else if (forward)
        add_at_places(c, g, child);
    if (!writes || u->is_plain || gives_mutex || c->only_forward)
        return;
    for (int32_t r = first_to_revisit(c, g, u); r < (int32_t)g->count; r++) {
        if (!may_read_it(c, g, u, r))
            continue;
        child.revisited = r;
        add_at_places(c, g, child);
    }
}

/* ---- making one --------------------------------------------------------------------------------------- */

/* Is the graph still consistent with its last event? Surely, if it is a fence, or reads the newest write, or
 * is that: then nothing comes after it, in no order of any model, and no cycle goes through it. */
static bool admits(mz__children *c, mz__graph *g, int32_t last)
{
    const mz__event *event = &g->events[last];
    int32_t own = event->kind == MZ__R ? event->from : last;
    return event->kind == MZ__F || own == g->slots[event->slot].newest ||
           c->model->admits(g, last, c->scratch);
}

static void drop_step_of(mz__graph *g, int32_t event)
{
    uint32_t i = 0;
    while (i < g->step_count && g->steps[i].event != event)
        i++;
    if (i == g->step_count)
        return;
    g->step_count--;
    memmove(&g->steps[i], &g->steps[i + 1], (g->step_count - i) * sizeof *g->steps);
}

/* What was added after the read goes, but for P. An update whose read stays and whose write goes is promised
 * again. Where giving back a mutex goes, who waited for it does so again. */
static void take_back_to(mz__children *c, mz__graph *g, int32_t r)
{
    c->kept = mz_grow(c->kept, &c->kept_capacity, g->count, sizeof *c->kept);
    c->number = mz_grow(c->number, &c->number_capacity, g->count, sizeof *c->number);
    for (int32_t e = 0; e < (int32_t)g->count; e++)
        c->kept[e] = e <= r || is_in_prefix(c, g, e);
    drop_step_of(g, r);
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        const mz__event *event = &g->events[e];
        if (event->kind == MZ__W && event->is_update && !c->kept[e] && c->kept[event->before] &&
            event->before != r) {
            g->events[event->before].is_promised = true;
            drop_step_of(g, event->before);
        }
        if (event->kind == MZ__R && c->kept[e] && e != r && event->from >= 0 && !c->kept[event->from])
            mz__graph_set_from(g, e, mz__section_of(g, event->from), c->causes);
    }
    if (g->events[r].from >= 0 && !c->kept[g->events[r].from]) /* it gets another one */
        g->events[r].from = MZ__INITIAL;
    mz__graph_keep(g, c->kept, c->number);
}

static int32_t renumbered(const mz__children *c, int32_t e)
{
    return e < 0 ? e : c->number[e];
}

static mz__event as_event(const mz__child *child, mz__event_kind kind)
{
    const mz__upcoming *u = &child->upcoming;
    bool fails = u->reads && u->writes && !child->writes;
    return (mz__event){.thread = u->thread,
                       .operation = u->operation,
                       .slot = u->slot,
                       .kind = kind,
                       .order = fails ? u->failure_order : u->order,
                       .is_update = u->reads && child->writes,
                       .is_lock = u->is_lock,
                       .is_object = u->is_object,
                       .shares = u->shares,
                       .is_loose = u->is_loose,
                       .is_conditional = u->is_conditional,
                       .from = MZ__INITIAL,
                       .first_cause = u->first_cause,
                       .cause_count = u->cause_count};
}

/* The read of an operation; it may be there already. */
static int32_t add_read(mz__children *c, mz__graph *g, const mz__child *child, int32_t from)
{
    mz__event event = as_event(child, MZ__R);
    int32_t e = g->last[event.thread];
    if (child->upcoming.is_promised) {
        mz__graph_save(g, e);
        g->events[e].order = event.order;
        g->events[e].is_update = event.is_update;
        g->events[e].is_promised = false;
    } else {
        e = mz__graph_add(g, &event);
    }
    mz__graph_set_from(g, e, from, c->causes);
    return e;
}

/* Those that wait for the mutex that is given back read from that now. */
static void let_waiting_go_on(mz__children *c, mz__graph *g, int32_t gives)
{
    for (int32_t r = 0; r < (int32_t)g->count; r++)
        if (g->events[r].kind == MZ__R && g->events[r].is_promised &&
            g->events[r].from == g->events[gives].older) {
            mz__graph_save(g, r);
            mz__graph_set_from(g, r, gives, c->causes);
        }
}

/* Whoever waits gives back its mutex in the same operation: what reads that it waits comes after both. */
static bool give_mutex(mz__children *c, mz__graph *g, const mz__upcoming *u, int32_t waits)
{
    mz__event event = {.thread = u->thread,
                       .operation = u->operation,
                       .slot = u->gives - 1,
                       .kind = MZ__W,
                       .order = MZ_RELEASE,
                       .is_lock = true,
                       .from = MZ__INITIAL};
    int32_t gives = mz__graph_add(g, &event);
    mz__graph_set_write(g, gives, c->causes);
    mz__graph_insert(g, gives, g->slots[event.slot].newest);
    mz__clock_of(g, waits, MZ__BY_RF)[u->thread] = g->events[gives].index + 1;
    if (!admits(c, g, gives))
        return false;
    let_waiting_go_on(c, g, gives);
    return true;
}

static void add_step(mz__graph *g, int32_t event)
{
    g->steps[g->step_count++] = (mz__graph_step){.event = event, .thread = g->events[event].thread};
}

/* The revisited read. Which order a compare-exchange has is known when its operation is the next one
 * (explore.c): till then it has the weakest. */
static bool change_read(mz__children *c, mz__graph *g, int32_t r, int32_t write)
{
    mz__event *event = &g->events[r];
    event->is_promised = true;
    if (event->is_conditional) {
        event->order = MZ_RELAXED;
        event->is_update = false;
    }
    mz__graph_set_from(g, r, write, c->causes);
    return admits(c, g, r);
}

/* How many writes that have been executed are newer than this one? */
static uint32_t count_newer(const mz__graph *g, const bool *there, uint32_t slot, int32_t write)
{
    uint32_t count = 0;
    for (int32_t w = g->slots[slot].newest; w != MZ__INITIAL && w != write; w = g->events[w].older)
        count += there[w];
    return count;
}

static bool has_write(const mz__graph *g, const bool *there, uint32_t slot)
{
    int32_t w = g->slots[slot].newest;
    while (w != MZ__INITIAL && !there[w])
        w = g->events[w].older;
    return w != MZ__INITIAL;
}

/* The choices of the steps, in the order in which they are made: of the last one, if these events were there
 * before it and what came before is as it was; of all, if there were none. */
static void find_choices(mz__children *c, mz__graph *g, uint32_t before)
{
    c->kept = mz_grow(c->kept, &c->kept_capacity, g->count, sizeof *c->kept);
    bool *there = c->kept;
    memset(there, 0, g->count * sizeof *there);
    memset(there, true, before * sizeof *there);
    for (uint32_t i = before > 0 ? g->step_count - 1 : 0; i < g->step_count; i++) {
        mz__graph_step *step = &g->steps[i];
        const mz__event *event = &g->events[step->event];
        step->chooses = false;
        if (event->kind == MZ__F)
            continue;
        if (!event->is_lock && !event->is_object && event->order != MZ_PLAIN) {
            step->chooses = has_write(g, there, event->slot);
            step->back = count_newer(g, there, event->slot, event->kind == MZ__R ? event->from : step->event);
        }
        int32_t write = step->event;
        if (event->kind == MZ__R && event->is_update) { /* its write is the next one of the thread */
            write = g->last[event->thread];
            while (g->events[write].before != step->event)
                write = g->events[write].before;
        }
        there[write] = g->events[write].kind == MZ__W;
    }
}

/* The graph, or what a revisit leaves of it, with the operation of the child. */
static bool grow(mz__children *c, mz__graph *g, const mz__child *child, int32_t from, int32_t older)
{
    const mz__upcoming *u = &child->upcoming;
    int32_t first = MZ__NO_EVENT, write = MZ__NO_EVENT;
    if (u->reads) {
        first = add_read(c, g, child, from);
        if (!admits(c, g, first))
            return false;
    }
    if (child->writes) {
        if (splits_update(g, u->slot, older))
            return false;
        mz__event event = as_event(child, MZ__W);
        write = mz__graph_add(g, &event);
        if (u->reads) /* causes are those of its read */
            g->events[write].cause_count = 0;
        mz__graph_set_write(g, write, c->causes);
        mz__graph_insert(g, write, older);
        if (!admits(c, g, write))
            return false;
        if (u->is_lock && !u->reads)
            let_waiting_go_on(c, g, write);
        if (u->gives && !give_mutex(c, g, u, write))
            return false;
    }
    if (!u->reads && !u->writes) {
        mz__event event = as_event(child, MZ__F);
        first = mz__graph_add(g, &event);
        mz__graph_set_fence(g, first, c->causes);
        if (!admits(c, g, first))
            return false;
    }
    add_step(g, first == MZ__NO_EVENT || u->is_lock ? write : first);
    return child->revisited == MZ__NO_EVENT || change_read(c, g, c->number[child->revisited], write);
}

bool mz__extend_graph(mz__children *c, mz__graph *g, const mz__child *child)
{
    mz__graph_mark before = mz__graph_mark_of(g);
    bool grows = grow(c, g, child, child->from, child->older);
    if (grows)
        find_choices(c, g, before.count);
    else
        mz__graph_take_back(g, &before);
    return grows;
}

bool mz__make_child(mz__children *c, const mz__graph *g, const mz__child *child, mz__graph *made)
{
    mz__graph_copy(made, g);
    if (child->revisited == MZ__NO_EVENT)
        return mz__extend_graph(c, made, child);
    find_prefix(c, g, &child->upcoming, child->from);
    take_back_to(c, made, child->revisited);
    if (!grow(c, made, child, renumbered(c, child->from), renumbered(c, child->older)))
        return false;
    made->saved_count = 0;
    find_choices(c, made, 0);
    return true;
}
