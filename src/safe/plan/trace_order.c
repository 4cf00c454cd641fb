/* The prefix becomes shorter from its end (search/safe_prefix.h). When it has lost an event, it takes as
 * many more traces until the next one can go as there are executions that begin with what is left. And what
 * it costs to keep a program to a prefix is not the number of its constraints alone: everything else comes
 * after all of it. So an order is made from the back, of those events that nothing in front of them comes
 * after:
 *
 *  - one with which no race begins: nothing has to be verified before it can go. So the prefix is soon down
 * to the events that are the first of two in some race, and what leads to them, and the others, among them
 * all that have to wait for the first ones, come after it in any order;
 *  - then the one without which the program runs fastest, by safe/plan/cost.h; of several, the one with which
 *    the fewest races begin: each of them multiplies what is to be verified.
 *
 * All of this is about what comes soon, never about what is right: any order of the trace may be the first.
 * But an input that is read on the way decides nothing about what comes before: those events keep their
 * place.
 */
#include "safe/plan/trace_order.h"

#include "base/memory.h"
#include "safe/plan/cost.h"

/* So many events are simulated. To ask for costs everywhere takes the square of the trace's length: in a long
 * one, only what goes first is chosen by them, and after that who comes last in the trace. */
enum { MOST_EVENTS = 2000000 };

typedef struct ordering {
    const mz_plan *plan;
    const mz_execution *x;
    uint32_t processors;
    uint32_t fixed;                      /* so many of the first events stay where they are */
    size_t simulated;                    /* events, so far */
    bool *inside;                        /* [position]: not placed yet */
    uint32_t *begun;                     /* [position]: so many races begin with it */
    uint32_t left[MZ_PLAN_MOST_THREADS]; /* of the thread: so many are not placed */
} ordering;

/* A lock races with the lock before, not with the unlock, which it cannot overtake. */
static uint32_t first_of_race(const mz_execution *x, uint32_t earlier, uint32_t later)
{
    const mz_event *e = &x->events[earlier];
    bool gives_back = e->kind == MZ_OP_UNLOCK || e->kind == MZ_OP_RELEASE;
    if (!gives_back || !x->events[later].blocking)
        return earlier;
    for (uint32_t p = e->previous; p != MZ_NONE; p = x->events[p].previous)
        if (x->events[p].blocking && mz_events_conflict(x, &x->events[p], e))
            return p;
    return earlier;
}

static void count_races(ordering *o)
{
    const mz_execution *x = o->x;
    for (uint32_t i = 0; i < x->length; i++)
        for (uint32_t r = 0; r < x->events[i].race_count; r++)
            o->begun[first_of_race(x, x->races[x->events[i].first_race + r], i)]++;
}

/* The last of the thread's events that are left, if nothing that is left comes after it. */
static bool can_be_last(const ordering *o, uint32_t thread, uint32_t *position)
{
    if (o->left[thread] == 0)
        return false;
    *position = mz_position_of(o->x, thread, o->left[thread]);
    if (*position < o->fixed)
        return false;
    for (uint32_t u = 0; u < o->x->thread_capacity; u++)
        if (u != thread && o->left[u] > 0 &&
            mz_happens_before(o->x, *position, mz_position_of(o->x, u, o->left[u])))
            return false;
    return true;
}

static double cost_without(ordering *o, uint32_t position)
{
    if (o->simulated + o->x->length > MOST_EVENTS)
        return 0;
    o->simulated += o->x->length;
    o->inside[position] = false;
    double cost = mz_plan_cost(o->plan, o->x, o->inside, o->processors);
    o->inside[position] = true;
    return cost;
}

static uint32_t choose_last(ordering *o)
{
    uint32_t best = MZ_NONE, position;
    double least = 0;
    for (uint32_t t = 0; t < o->x->thread_capacity; t++) {
        if (!can_be_last(o, t, &position))
            continue;
        if (o->begun[position] == 0)
            return position;
        double cost = cost_without(o, position);
        bool better = best == MZ_NONE || cost < least ||
                      (cost == least && (o->begun[position] < o->begun[best] ||
                                         (o->begun[position] == o->begun[best] && position > best)));
        if (better) {
            best = position;
            least = cost;
        }
    }
    return best;
}

void mz_plan_order(const mz_plan *plan, const mz_execution *x, uint32_t fixed, uint32_t processors,
                   uint32_t *order)
{
    ordering o = {.plan = plan, .x = x, .processors = processors, .fixed = fixed};
    o.inside = mz_allocate_zeroed(x->length, sizeof *o.inside);
    o.begun = mz_allocate_zeroed(x->length, sizeof *o.begun);
    count_races(&o);
    for (uint32_t i = 0; i < x->length; i++)
        o.inside[i] = true;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        o.left[t] = x->thread_length[t];
    for (uint32_t i = 0; i < fixed; i++)
        order[i] = i;
    for (size_t i = x->length; i-- > fixed;) {
        order[i] = choose_last(&o);
        o.inside[order[i]] = false;
        o.left[x->events[order[i]].thread]--;
    }
    mz_release(o.inside);
    mz_release(o.begun);
}
