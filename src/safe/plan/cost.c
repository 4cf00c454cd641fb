/* The run is simulated on so many processors. A thread creates others, works, comes to its next event, waits
 * there for what the plan says, and goes on; of all that could come next, what can begin first does. The time
 * when the last event is over is the cost.
 *
 * What that takes into account is what was found to matter:
 *
 *  - a constraint costs nothing if what it waits for is over by then. So an order in which threads come as
 *    they are created is better than one in which the first wait for the last, with equally many constraints;
 *  - who waits with a processor to himself loses the time until then, and some for the cache line; who shares
 *    it goes to sleep, and both he and the one who wakes him pay for that, he also with the time until he
 *    runs again: few such handovers are better than many;
 *  - work that could be done at the same time and is kept apart by constraints adds up: the critical path. It
 *    is measured in plain accesses, which the checker counts: the same in every run, unlike time;
 *  - whatever is beyond the prefix comes after all of it.
 *
 * It does not know how long a thread really works between two events (what has no access is free here), which
 * processor the kernel gives to whom, and what the program does beyond T. The numbers below were taken on one
 * machine; only their proportions matter, and these are alike on others. `--tune` measures instead. */
#include "safe/plan/cost.h"

#include "base/memory.h"

/* In nanoseconds. */
enum {
    ACCESS = 1,
    OPERATION = 20,  /* with all that belongs to it */
    PUBLISH = 20,    /* that an event is over */
    PASS = 150,      /* until another processor sees that */
    CREATE = 10000,  /* a thread: for its creator */
    BEGIN = 20000,   /* until a created thread begins */
    SWITCH = 1500,   /* a processor turns to another thread */
    SLEEP = 2000,    /* to give the processor away */
    WAKE = 3000,     /* for who wakes another one */
    LATENCY = 10000, /* until a woken thread runs */
    MOST_PROCESSORS = 64,
};

/* A thread on its way. */
typedef struct actor {
    bool exists, waits;
    uint32_t next;       /* of its events, from 1 */
    uint32_t next_child; /* of plan->threads: first_child[], next_sibling[]; MZ_NONE: no more */
    double free_at;      /* it is through with what it did so far */
    double arrived;      /* if it waits: since then */
} actor;

typedef struct simulation {
    const mz_plan *plan;
    const mz_execution *x;
    uint32_t processors;
    const bool *inside;      /* [position]: it is of the prefix; NULL: all are */
    uint32_t left_in_prefix; /* so many of these have not happened */
    double busy_until[MOST_PROCESSORS];
    uint32_t runs[MOST_PROCESSORS]; /* the thread that it ran last, or MZ_NONE */
    actor actors[MZ_PLAN_MOST_THREADS];
    uint32_t next_sibling[MZ_PLAN_MOST_THREADS];
    bool is_crowded; /* there are more threads than processors */
    double *ends;    /* [position]; 0: it has not happened */
    double prefix_end;
    double spent; /* on sleeping and waking */
} simulation;

/* On the processor where that is possible first; its own one if there is a choice. */
static double run(simulation *s, uint32_t thread, double from, double duration)
{
    uint32_t best = 0;
    double begin = 0;
    for (uint32_t k = 0; k < s->processors; k++) {
        double at = s->busy_until[k] + (s->runs[k] == thread ? 0 : SWITCH);
        at = at > from ? at : from;
        if (k == 0 || at < begin || (at == begin && s->runs[k] == thread)) {
            best = k;
            begin = at;
        }
    }
    s->busy_until[best] = begin + duration;
    s->runs[best] = thread;
    return begin + duration;
}

/* ---- threads --------------------------------------------------------------------------------------------
 */

/* How many events of its parent come before it is created: the creation is a cause of its first one. */
static uint32_t created_after(const simulation *s, uint32_t thread)
{
    if (s->x->thread_length[thread] == 0)
        return 0;
    const mz_event *first = &s->x->events[mz_position_of(s->x, thread, 1)];
    for (uint32_t i = 0; i < first->cause_count; i++)
        if (s->x->causes[first->first_cause + i].thread == s->plan->threads[thread].parent)
            return s->x->causes[first->first_cause + i].index;
    return 0;
}

/* In the order in which they are created: from the last to the first, each in front of the others. */
static void link_children(simulation *s)
{
    const mz_plan *plan = s->plan;
    for (uint32_t t = 0; t < plan->thread_count; t++)
        s->actors[t] = (actor){.next = 1, .next_child = MZ_NONE};
    for (uint32_t child = plan->thread_count; child-- > 0;)
        for (uint32_t t = 1; t < plan->thread_count; t++)
            if (plan->threads[t].child == child && plan->threads[t].parent < plan->thread_count) {
                actor *parent = &s->actors[plan->threads[t].parent];
                s->next_sibling[t] = parent->next_child;
                parent->next_child = t;
            }
    s->actors[0].exists = true;
}

static void create_child(simulation *s, uint32_t thread)
{
    actor *self = &s->actors[thread];
    uint32_t child = self->next_child;
    self->next_child = s->next_sibling[child];
    self->free_at = run(s, thread, self->free_at, CREATE);
    s->actors[child].exists = true;
    s->actors[child].free_at = self->free_at + BEGIN;
}

static bool has_more_threads_than_processors(const mz_plan *plan, uint32_t processors)
{
    mz_threads active = MZ_NO_THREADS;
    for (size_t i = 0; i < plan->event_count; i++)
        active |= mz_threads_of(plan->events[i].thread);
    return (uint32_t)mz_threads_count(active) > processors;
}

/* ---- events ---------------------------------------------------------------------------------------------
 */

static uint32_t position_of_wait(const simulation *s, const mz_plan_wait *wait)
{
    uint32_t low = 1, high = s->x->thread_length[wait->thread]; /* the counts of a thread only grow */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->plan->events[mz_position_of(s->x, wait->thread, middle)].count < wait->count)
            low = middle + 1;
        else
            high = middle;
    }
    return mz_position_of(s->x, wait->thread, low);
}

static bool is_inside(const simulation *s, uint32_t position)
{
    return !s->inside || s->inside[position];
}

/* False: there is one that has not happened. Otherwise *met is when the last one had, *by whose that was. */
static bool constraints_are_met(const simulation *s, uint32_t position, double *met, uint32_t *by)
{
    const mz_plan_event *event = &s->plan->events[position];
    *met = 0;
    *by = event->thread;
    if (!is_inside(s, position)) {
        *met = s->prefix_end;
        return s->left_in_prefix == 0;
    }
    for (uint32_t i = 0; i < event->wait_count; i++) {
        const mz_plan_wait *wait = &s->plan->waits[event->first_wait + i];
        double end = s->ends[position_of_wait(s, wait)];
        if (end == 0)
            return false;
        if (end + PUBLISH > *met) {
            *met = end + PUBLISH;
            *by = wait->thread;
        }
    }
    return true;
}

/* Who shares a processor has slept, and is woken. Who does not has looked all the time. */
static double end_of_wait(simulation *s, uint32_t thread, uint32_t other, double met)
{
    if (!s->is_crowded)
        return met + PASS;
    if (other != thread && s->actors[other].free_at < met + WAKE)
        s->actors[other].free_at = met + WAKE;
    s->spent += SLEEP + WAKE;
    return run(s, thread, met + WAKE + LATENCY, 0);
}

/* The thread is at its next event. */
static void finish_event(simulation *s, uint32_t thread, double met, uint32_t by)
{
    actor *self = &s->actors[thread];
    uint32_t position = mz_position_of(s->x, thread, self->next++);
    double end = met > self->arrived ? end_of_wait(s, thread, by, met) : self->arrived;
    s->ends[position] = self->free_at = end;
    self->waits = false;
    if (is_inside(s, position)) {
        s->left_in_prefix--;
        s->prefix_end = end > s->prefix_end ? end : s->prefix_end;
    }
}

/* Whoever can go on does, until nobody can. */
static void let_go_on(simulation *s)
{
    bool any = true;
    while (any) {
        any = false;
        for (uint32_t t = 0; t < s->plan->thread_count; t++) {
            double met;
            uint32_t by;
            if (!s->actors[t].waits ||
                !constraints_are_met(s, mz_position_of(s->x, t, s->actors[t].next), &met, &by))
                continue;
            finish_event(s, t, met, by);
            any = true;
        }
    }
}

static void come_to_event(simulation *s, uint32_t thread, double from)
{
    actor *self = &s->actors[thread];
    uint32_t position = mz_position_of(s->x, thread, self->next);
    self->arrived = run(s, thread, from, OPERATION + (double)s->plan->events[position].work * ACCESS);
    self->waits = true;
    let_go_on(s);
    for (uint32_t k = 0; self->waits && s->is_crowded && k < s->processors; k++)
        if (s->runs[k] == thread && s->busy_until[k] == self->arrived)
            s->busy_until[k] += SLEEP;
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

/* When the thread can do what is next for it; false: there is nothing, or something has to happen before. */
static bool can_begin(const simulation *s, uint32_t thread, double *from)
{
    const actor *self = &s->actors[thread];
    *from = self->free_at;
    if (!self->exists || self->waits)
        return false;
    if (self->next_child != MZ_NONE && created_after(s, self->next_child) < self->next)
        return true;
    if (self->next > s->x->thread_length[thread])
        return false;
    const mz_event *event = &s->x->events[mz_position_of(s->x, thread, self->next)];
    for (uint32_t i = 0; i < event->cause_count; i++) {
        const mz_cause *cause = &s->x->causes[event->first_cause + i];
        double end = s->ends[mz_position_of(s->x, cause->thread, cause->index)];
        if (end == 0)
            return false;
        *from = end > *from ? end : *from;
    }
    return true;
}

static bool do_next(simulation *s)
{
    uint32_t best = MZ_NONE;
    double from, earliest = 0;
    for (uint32_t t = 0; t < s->plan->thread_count; t++)
        if (can_begin(s, t, &from) && (best == MZ_NONE || from < earliest)) {
            best = t;
            earliest = from;
        }
    if (best == MZ_NONE)
        return false;
    const actor *self = &s->actors[best];
    if (self->next_child != MZ_NONE && created_after(s, self->next_child) < self->next)
        create_child(s, best);
    else
        come_to_event(s, best, earliest);
    return true;
}

double mz_plan_cost(const mz_plan *plan, const mz_execution *x, const bool *inside, uint32_t processors)
{
    simulation s = {.plan = plan, .x = x, .inside = inside};
    double latest = 0;
    uint32_t constraints = 0;
    s.processors = processors < 1 ? 1 : processors > MOST_PROCESSORS ? MOST_PROCESSORS : processors;
    s.is_crowded = has_more_threads_than_processors(plan, s.processors);
    s.ends = mz_allocate_zeroed(plan->length, sizeof *s.ends);
    for (uint32_t i = 0; i < plan->length; i++)
        if (is_inside(&s, i)) {
            s.left_in_prefix++;
            constraints += plan->events[i].wait_count;
        }
    for (uint32_t k = 0; k < s.processors; k++)
        s.runs[k] = MZ_NONE;
    link_children(&s);
    while (do_next(&s))
        continue;
    for (uint32_t t = 0; t < plan->thread_count; t++)
        latest = s.actors[t].free_at > latest ? s.actors[t].free_at : latest;
    mz_release(s.ends);
    return latest + s.spent / s.processors + constraints; /* of equals, the one with fewer constraints */
}
