/* The next operation of a graph, and what may come of it. */
#include "algo/graph/upcoming.h"

#include <stdio.h>

#include "base/memory.h"
#include "machine/execution.h"

typedef mz__exploration exploration;

static mz__graph_frame *top(const exploration *n)
{
    return mz__top_graph(n);
}

/* False if there are no events for it. */
static bool describe(mz_search *s, exploration *n, uint32_t thread, mz__upcoming *u)
{
    mz_operation operation;
    const mz__graph *g = &top(n)->graph;
    s->machine->class->pending(s->machine, thread, &operation);
    int32_t last = g->last[thread];
    bool lock = operation.kind == MZ_OP_LOCK, unlock = operation.kind == MZ_OP_UNLOCK;
    bool update = operation.conditional || operation.kind == MZ_OP_UPDATE || operation.on_object;
    bool waits = operation.kind == MZ_OP_WAIT && operation.access_count == 2;
    *u = (mz__upcoming){.thread = thread,
                        .operation = s->execution->thread_length[thread] + 1,
                        .reads = operation.kind == MZ_OP_READ || update || lock,
                        .writes = operation.kind == MZ_OP_WRITE || update || lock || unlock,
                        .is_conditional = operation.conditional || operation.on_object,
                        .is_lock = lock || unlock,
                        .is_object = operation.on_object,
                        .shares = operation.shares,
                        .waits = operation.blocking,
                        .is_loose = operation.loose,
                        .is_plain = operation.order == MZ_PLAIN && !lock && !unlock,
                        .is_promised = last != MZ__NO_EVENT && g->events[last].is_promised,
                        .order = lock     ? MZ_ACQUIRE
                                 : unlock ? MZ_RELEASE
                                          : operation.order,
                        .failure_order = operation.failure_order,
                        .first_cause = (uint32_t)n->cause_count,
                        .cause_count = operation.cause_count};
    n->causes =
        mz_grow(n->causes, &n->cause_capacity, n->cause_count + operation.cause_count + 1, sizeof *n->causes);
    for (uint32_t i = 0; i < operation.cause_count; i++)
        n->causes[n->cause_count++] = operation.causes[i];
    n->children.causes = n->causes;
    if (u->is_promised) { /* they were noted when it was added */
        u->first_cause = g->events[last].first_cause;
        u->cause_count = g->events[last].cause_count;
    }
    if (operation.kind == MZ_OP_FENCE || operation.kind == MZ_OP_CHOOSE)
        return true;
    if (operation.on_object && operation.order == MZ_PLAIN)
        return false;
    if (!(u->reads || u->writes) || operation.access_count != 1u + waits || (u->is_plain && update))
        return false;
    u->slot = mz__slot_of(n, operation.accesses[0].location);
    mz__look_back(&n->children, g, u);
    u->gives = waits ? mz__slot_of(n, operation.accesses[1].location) + 1 : 0;
    return true;
}

/* The write from which it would read is so far back: would it write? */
static bool would_write(mz_search *s, const mz__graph *g, const mz__upcoming *u, int32_t from)
{
    if (!u->is_conditional || !u->writes)
        return u->writes;
    uint32_t back = u->slot < g->slot_count ? mz__rank(g, g->slots[u->slot].newest) - mz__rank(g, from) : 0;
    return s->machine->class->would_write(s->machine, u->thread, back);
}

/* An operation on an object: what comes last there is what it finds. Earlier it could have come where it
 * would not have had to wait; then it is read by what did come there. */
static void add_children_of_object(mz_search *s, exploration *n, const mz__upcoming *u, bool can_happen)
{
    const mz__graph *g = &top(n)->graph;
    int32_t newest = u->slot < g->slot_count ? g->slots[u->slot].newest : MZ__INITIAL;
    uint32_t back = 0;
    for (int32_t w = newest;; w = g->events[w].older, back++) {
        mz__upcoming it = *u;
        bool could = s->machine->class->would_write(s->machine, u->thread, back);
        if (!could)
            it.order = it.failure_order;
        if ((could || !u->waits) && (w != newest || can_happen))
            mz__add_children(&n->children, g, &it, w, true, w == newest);
        if (mz__rank(g, w) <= u->rank_in_sight || u->is_promised)
            break;
    }
}

/* Whoever holds the mutex has not given it back. */
static bool is_held(const mz__graph *g, int32_t section)
{
    return section >= 0 && g->events[section].is_update;
}

static void add_children(mz_search *s, exploration *n, const mz__upcoming *u, bool can_happen)
{
    mz__graph_frame *f = top(n);
    const mz__graph *g = &f->graph;
    int32_t newest = u->slot < g->slot_count ? g->slots[u->slot].newest : MZ__INITIAL;
    if (u->is_object) {
        add_children_of_object(s, n, u, can_happen);
    } else if (!u->reads) {
        mz__add_children(&n->children, g, u, MZ__INITIAL, u->writes, can_happen);
    } else if (u->is_promised) {
        int32_t from = g->events[g->last[u->thread]].from;
        mz__add_children(&n->children, g, u, from, would_write(s, g, u, from), can_happen);
    } else {
        for (int32_t w = newest;; w = g->events[w].older) {
            /* Of a critical section, giving the mutex back is what is read. */
            bool open = u->is_lock && w != newest && w >= 0 && is_held(g, w);
            bool held = u->is_lock && w == newest && is_held(g, w);
            bool forward = can_happen && (!u->is_lock || w == newest);
            if (!open && !held && !(u->is_plain && w != newest))
                mz__add_children(&n->children, g, u, w, would_write(s, g, u, w), forward);
            if (mz__rank(g, w) <= u->rank_in_sight)
                break;
        }
    }
    f->child_end = n->children.count;
}

/* What it does, and where; and why that is too much, where it does not show. */
static void describe_refused(mz_search *s, uint32_t thread, mz_text *what)
{
    mz_position at;
    mz_operation operation;
    s->machine->class->describe_pending(s->machine, thread, what, &at);
    s->machine->class->pending(s->machine, thread, &operation);
    bool sizes = operation.access_count > 1 && operation.order != MZ_PLAIN && !operation.on_object;
    mz_text_add(what, " (%s:%u)%s", at.file ? at.file : "?", at.line,
                sizes ? ", since there are accesses of another size to the same place" : "");
}

/* Whoever has not asked for it gets sequential consistency instead. */
static void refuse(mz_search *s, uint32_t thread)
{
    mz_text what = {0};
    mz_machine *m = s->machine;
    describe_refused(s, thread, &what);
    if (!m->beyond_weak)
        snprintf(m->beyond_what, sizeof m->beyond_what, "%s", mz_text_string(&what));
    m->beyond_weak = true;
    if (s->options.memory == MZ_MEMORY_AUTO && m->is_told_of_orders) {
        m->begin_again = s->begin_again = s->stop = true;
    } else {
        s->lost = true;
        mz_search_stop(s, "under a weak memory model this cannot be explored: %s", mz_text_string(&what));
    }
    mz_text_release(&what);
}

static bool has_promise(const mz__graph *g, uint32_t thread)
{
    return g->last[thread] != MZ__NO_EVENT && g->events[g->last[thread]].is_promised;
}

/* It was to come behind an operation on its object, and had to wait there; others have come meanwhile. It
 * goes on in other graphs, where one of those has revisited it. */
static mz_threads missed(const mz__graph *g, mz_threads ready)
{
    mz_threads found = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, ready)
    {
        const mz__event *event = has_promise(g, t) ? &g->events[g->last[t]] : NULL;
        if (event && event->is_object && event->from != g->slots[event->slot].newest)
            found |= mz_threads_of(t);
    }
    return found;
}

/* Which thread is next? One with a promise, if it can go on; otherwise the first. */
static uint32_t next_thread(const exploration *n, mz_threads ready)
{
    const mz__graph *g = &top(n)->graph;
    MZ_FOR_EACH_THREAD(t, ready)
    {
        if (has_promise(g, t))
            return t;
    }
    return mz_threads_first(ready);
}

bool mz__expand_graph(mz_search *s, exploration *n)
{
    mz__upcoming upcoming;
    mz_threads ready = s->machine->status->ready, blocked = s->machine->status->blocked;
    top(n)->is_expanded = true;
    if (s->at_leaf && mz_threads_any(ready)) /* --depth */
        return false;
    mz_threads without = mz_threads_any(ready) ? missed(&top(n)->graph, ready) : MZ_NO_THREADS;
    ready &= ~without;
    if (mz_threads_any(ready)) {
        uint32_t thread = next_thread(n, ready);
        if (describe(s, n, thread, &upcoming))
            add_children(s, n, &upcoming, true);
        else
            refuse(s, thread);
        return false;
    }
    MZ_FOR_EACH_THREAD(t, blocked)
    {
        mz_operation operation;
        s->machine->class->pending(s->machine, t, &operation);
        if ((operation.kind == MZ_OP_LOCK || operation.on_object) && operation.blocking &&
            describe(s, n, t, &upcoming) && !upcoming.is_promised)
            add_children(s, n, &upcoming, false);
    }
    return mz_threads_any(without);
}

bool mz__expand_forward(mz_search *s, exploration *n, uint32_t thread)
{
    mz__upcoming upcoming;
    bool can = describe(s, n, thread, &upcoming);
    if (can)
        add_children(s, n, &upcoming, true);
    else
        refuse(s, thread);
    return can;
}
