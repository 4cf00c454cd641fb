/* Why every graph can come out. Events can be added in any order that respects po ∪ rf, and there is one,
 * since that is acyclic: the order in which threads are drawn. What is left of a consistent graph without the
 * later events is consistent, so none of these is refused on the way. A write may be put at any place in mo
 * that is allowed. Taking a mutex, and every operation on another object, comes last there: the order in
 * which they are drawn is theirs.
 *
 * The newest write is always allowed, and half of the draws take it: what fails needs few old values. */
#include "algo/graph/growing.h"

#include "algo/graph/follow.h"
#include "algo/graph/upcoming.h"
#include "base/memory.h"
#include "machine/execution.h"
#include "machine/identity.h"

struct mz__growing {
    mz_search *search;
    mz__exploration exploration; /* the graph is that of its only frame */
    mz__graph next;              /* before the last step: as it was then */
    /* Whose last step was taken back: those who have read the newest write of a slot, and wait for another
     * one; and those who are to read the newest one instead. */
    mz_threads waiting, eager;
    mz_threads released; /* who went on all the same, since all waited */
    bool all_wait;
    uint32_t slot[MZ_MAX_THREADS];
    int32_t newest[MZ_MAX_THREADS];
};

mz__growing *mz__growing_create(mz_search *s)
{
    mz__growing *g = mz_allocate_zeroed(1, sizeof *g);
    g->search = s;
    mz__exploration_init(&g->exploration, s);
    g->exploration.children.only_forward = true;
    mz__exploration_begin(&g->exploration);
    mz__graph_init(&g->next, g->exploration.threads);
    return g;
}

void mz__growing_release(mz__growing *g)
{
    if (!g)
        return;
    mz__graph_release(&g->next);
    mz__exploration_release(&g->exploration);
    mz_release(g);
}

void mz__growing_begin(mz__growing *g)
{
    g->waiting = g->eager = g->released = MZ_NO_THREADS;
    g->all_wait = false;
    mz__exploration_begin(&g->exploration);
}

/* One of the children that are left is drawn until the model allows it. */
static void draw_child(mz__growing *g, bool eager, mz__draw_number *draw, void *context)
{
    mz__exploration *n = &g->exploration;
    mz__graph *now = &mz__top_graph(n)->graph;
    mz__child *list = n->children.list;
    size_t left = n->children.count, at = 0;
    if (!eager && left > 1 && draw(context, 2))
        at = draw(context, left);
    while (left > 0 && !mz__make_child(&n->children, now, &list[at], &g->next)) {
        list[at] = list[--left];
        at = draw(context, left > 0 ? left : 1);
    }
    if (left == 0) {
        mz_search_stop(g->search, "nothing is allowed that a thread could do");
        return;
    }
    mz__graph made = g->next;
    g->next = *now;
    *now = made;
    n->children.count = 0;
}

bool mz__growing_add(mz__growing *g, uint32_t thread, mz__draw_number *draw, void *context)
{
    mz__exploration *n = &g->exploration;
    if (!mz__expand_forward(g->search, n, thread))
        return false;
    draw_child(g, mz_threads_has(g->eager, thread), draw, context);
    g->eager &= ~mz_threads_of(thread);
    if (g->all_wait)
        g->released |= mz_threads_of(thread);
    if (g->search->stop)
        return false;
    const mz__graph *now = &mz__top_graph(n)->graph;
    mz__prescribe_step(g->search, n, &now->steps[now->step_count - 1]);
    return true;
}

/* Rounds of a loop are no events: whoever comes back to where it was goes no further in this execution
 * (program/runtime/dead_ends.c). So it had better come there later. */
bool mz__growing_take_back(mz__growing *g, const mz_status *status)
{
    mz__graph *now = &mz__top_graph(&g->exploration)->graph;
    const mz__graph_step *step = &now->steps[now->step_count - 1];
    if (now->step_count == 0 || mz_threads_has(g->released, step->thread) ||
        !mz_threads_has(status->spinning, step->thread))
        return false;
    const mz__event *event = &now->events[step->event];
    if (event->kind != MZ__R || event->is_update)
        return false;
    if (event->from == now->slots[event->slot].newest)
        g->waiting |= mz_threads_of(step->thread);
    else
        g->eager |= mz_threads_of(step->thread);
    g->slot[step->thread] = event->slot;
    g->newest[step->thread] = now->slots[event->slot].newest;
    mz__graph made = g->next;
    g->next = *now;
    *now = made;
    return true;
}

mz_threads mz__growing_worth(mz__growing *g, mz_threads ready)
{
    const mz__graph *now = &mz__top_graph(&g->exploration)->graph;
    MZ_FOR_EACH_THREAD(t, g->waiting)
    {
        if (now->slot_count > g->slot[t] && now->slots[g->slot[t]].newest != g->newest[t])
            g->waiting &= ~mz_threads_of(t);
    }
    mz_threads worth = ready & ~g->waiting;
    g->all_wait = !mz_threads_any(worth);
    return g->all_wait ? ready : worth;
}

/* Of each event what it is, where it reads from, and behind what it stands in mo. Sums do not mind the order
 * in which they were added. */
mz_hash mz__growing_identity(const mz__growing *growing)
{
    const mz__graph *g = &mz__top_graph(&growing->exploration)->graph;
    const mz_execution *x = growing->search->execution;
    mz_hash all = mz_identity_of_nothing(x);
    if (x->length == 0)
        return all;
    for (uint32_t e = 0; e < g->count; e++) {
        const mz__event *event = &g->events[e];
        int32_t other = event->kind == MZ__R ? event->from : event->older;
        mz_hash h = mz_hash_start((uint64_t)event->thread << 32 | event->index);
        h = mz_hash_add(h, (uint64_t)event->kind << 32 | event->operation);
        if (event->kind != MZ__F && other >= 0)
            h = mz_hash_add(h, (uint64_t)g->events[other].thread << 32 | g->events[other].index);
        all = mz_hash_combine(all, h);
    }
    for (uint32_t i = 0; i < g->step_count && i < x->length; i++) {
        const mz_event *event = &x->events[i];
        mz_hash h = mz_hash_start((uint64_t)event->thread << 32 | event->index);
        for (uint32_t c = g->steps[i].chooses; c < event->choice_count; c++)
            all = mz_hash_combine(all, mz_hash_add(h, (uint64_t)x->choices[event->first_choice + c].value));
    }
    return all;
}
