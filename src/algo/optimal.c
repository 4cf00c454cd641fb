/* Optimal dynamic partial order reduction (ODPOR): Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, algorithm 2.
 * Each trace is explored once, and no execution is begun that turns out to be redundant.
 *
 * Where `source` adds one thread to the state before a race, this adds the whole reversal v = notdep(e)·x to
 * the wake-up tree of that state, unless an operation that sleeps there could come first without changing v.
 * When v has been executed, everything that slept has been woken by a conflict, so that the search can go on
 * freely: no execution ends blocked.
 *
 * Deviations from the paper: the races are those of explore/races.c, for locations that move and operations
 * that wait. Choices are part of the operation they follow: an operation with one choice sleeps, or is
 * planned, apart from the same with another, and the other values of a choice are planned like the reversal
 * of a race of the event with itself.
 *
 * All races of an execution are looked at when it has ended, also those in the part it shares with earlier
 * ones, because notdep(e) is another: with the new ones only, 499 of the 512 traces of last_zero(8) are
 * found.
 *
 * Two restrictions. The paper leaves out a reversal v also if an operation sleeps that is not in v at all and
 * independent of it. That this loses nothing rests on the axiom that an independent step does not change what
 * another depends on, and with footprints that move it does lose traces (2 of 15,000 random programs). Where
 * some operation is dynamic (machine->moving_footprints), only an operation that is an initial of v covers
 * it: then the argument in explore/races.c applies, but executions may end blocked. Where an operation waits
 * for more than one fixed location (machine->complex_blocking) this is `source`, and executions may end
 * blocked, too. */
#include "algo/algorithm.h"
#include "base/memory.h"
#include "explore/races.h"
#include "explore/wakeup.h"

static mz_plans *plans_of(const mz_search *search)
{
    return search->algorithm_data;
}

static mz_threads sleep_after(mz_search *s, mz_node *node, uint32_t thread, const mz_operation *executed)
{
    (void)node;
    (void)thread;
    return mz_plans_descend(plans_of(s), s, s->execution->length - 1, executed);
}

static void enter(mz_search *s, mz_node *node)
{
    mz_plans *plans = plans_of(s);
    size_t depth = s->execution->length;
    if (depth == 0)
        mz_plans_start(plans);
    if (!plans->plans[depth].tree)
        mz_plans_add_thread(plans, depth, mz_threads_first(node->enabled & ~node->sleep));
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    size_t depth = s->execution->length;
    bool entered = node->enabled & ~node->sleep;
    const mz_planned *planned = entered ? plans_of(s)->plans[depth].tree : NULL;
    if (!planned)
        return false;
    node->backtrack = 0; /* only for the estimate of what is left */
    for (const mz_planned *p = planned; p; p = p->next)
        node->backtrack |= mz_threads_of(p->thread);
    node->backtrack |= node->done;
    mz_choices_prescribe(&s->choices, planned->choices, planned->choice_count);
    *thread = planned->thread;
    return true;
}

static void explored(mz_search *s, mz_node *node)
{
    (void)node;
    mz_plans_ascend(plans_of(s), s->execution->length - 1);
}

static void insert(mz_search *s, const mz_reversal *v)
{
    mz_plans_insert(plans_of(s), s, v, NULL, 0);
}

/* The other values of each choice after the event, those before it unchanged. */
static void plan_other_choices(mz_search *s, uint32_t position)
{
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[position];
    mz_reversal v = {
        .e = position, .thread = event->thread, .index = event->index, .initial = true, .event = position};
    mz_choice *choices = mz_allocate(event->choice_count * sizeof *choices);
    for (uint32_t i = 0; i < event->choice_count; i++) {
        const mz_choice *made = &x->choices[event->first_choice + i];
        choices[i] = *made;
        for (choices[i].value = made->low; choices[i].value <= made->high; choices[i].value++)
            if (choices[i].value != made->value)
                mz_plans_insert(plans_of(s), s, &v, choices, i + 1);
        choices[i] = *made;
    }
    mz_release(choices);
}

static void leaf(mz_search *s)
{
    mz_plans_leaf(plans_of(s));
    mz_reverse_races(s, MZ_REVERSE_FOR_SEQUENCES, insert);
    for (size_t k = 0; s->execution->choice_count > 0 && k < s->execution->length; k++)
        if (s->execution->events[k].choice_count > 0)
            plan_other_choices(s, (uint32_t)k);
}

static void run(mz_search *search)
{
    if (search->machine->complex_blocking) {
        mz_algorithm_source.run(search);
        return;
    }
    mz_plans plans = {0};
    search->algorithm_data = &plans;
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .sleep = sleep_after,
                                       .enter = enter,
                                       .leaf = leaf,
                                       .next = next,
                                       .explored = explored,
                                   });
    mz_plans_release(&plans);
}

const mz_algorithm mz_algorithm_optimal = {
    .name = "optimal",
    .description = "wake-up trees: one execution per trace, none cut short",
    .equivalence = MZ_MAZURKIEWICZ,
    .optimal = true,
    .run = run,
};
