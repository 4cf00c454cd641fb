/* A search that goes depth first looks at what differs in the last steps of an execution for a very long time
 * before it comes to the first ones. A bug that needs another beginning is far away for it, though one
 * execution in ten may have it. So a search that takes longer tries some executions at random, each to its
 * end: a twentieth of its steps.
 *
 * Nothing is concluded from those in which nothing goes wrong, and they are no traces: they are counted
 * apart. When they are made depends on how many events there have been, and what is drawn on their number: a
 * search that is repeated finds the same. */
#include "search/scout.h"

#include "base/hash.h"
#include "base/memory.h"

enum { LONGEST = 20000, ALONE = 200, PART = 20, SWITCH_EVERY = 8 };

typedef struct scout {
    mz_search *search;
    mz_execution *execution;
    mz_choices choices;
    uint64_t random;
    uint32_t ranks[MZ_MAX_THREADS];
    uint64_t change; /* the step after which the highest thread becomes the lowest */
    uint64_t steps, longest;
} scout;

static uint64_t draw(scout *c, uint64_t below)
{
    c->random += UINT64_C(0x9e3779b97f4a7c15);
    return (mz_mix64(c->random) >> 16) % (below ? below : 1);
}

/* ---- who is next ----------------------------------------------------------------------------------------
 */

static uint32_t any_of(scout *c, mz_threads threads)
{
    for (uint64_t skip = draw(c, mz_threads_count(threads)); skip > 0; skip--)
        threads = mz_threads_rest(threads);
    return mz_threads_first(threads);
}

static uint32_t highest_of(scout *c, mz_threads threads)
{
    uint32_t highest = mz_threads_first(threads);
    MZ_FOR_EACH_THREAD(t, threads)
    {
        if (c->ranks[t] > c->ranks[highest])
            highest = t;
    }
    return highest;
}

/* Three ways in turn: anybody at each step; one thread for a while; by ranks, of which one changes on the way
 * (after Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010). */
static uint32_t choose(scout *c, mz_threads ready, uint32_t last, uint64_t step)
{
    uint64_t way = c->search->statistics.scouted % 3;
    if (way == 0)
        return any_of(c, ready);
    if (way == 1)
        return mz_threads_has(ready, last) && draw(c, SWITCH_EVERY) ? last : any_of(c, ready);
    uint32_t highest = highest_of(c, ready);
    if (step == c->change)
        c->ranks[highest] = 0;
    return highest_of(c, ready);
}

/* ---- one execution --------------------------------------------------------------------------------------
 */

static void begin_ranks(scout *c)
{
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        c->ranks[t] = 1 + (uint32_t)draw(c, 1 << 20);
    c->change = draw(c, c->longest + 1);
}

/* The problems of an execution that the search is not in. */
static void report(scout *c, bool waits)
{
    mz_search *s = c->search;
    mz_execution *own = s->execution;
    size_t open = s->open_count, known = s->problem_count;
    s->execution = c->execution;
    if (waits)
        mz_search_report_deadlock(s);
    else
        mz_search_report_failures(s);
    s->execution = own;
    s->open_count = open;
    for (; known < s->problem_count; known++)
        s->problems[known].occurrences = 1;
}

static bool waits_for_ever(const mz_status *status)
{
    return mz_threads_any(status->blocked) &&
           !mz_threads_any(status->ready | status->failed | status->pruned) && !status->ended &&
           !status->redundant;
}

/* Where one thread alone has gone on for a while, there is nothing more to come by chance. */
static mz_outcome follow(scout *c, mz_outcome outcome)
{
    mz_machine *machine = c->search->machine;
    uint32_t last = 0;
    uint64_t alone = 0, step = 0;
    for (; mz_threads_any(machine->status->ready) && outcome != MZ_STEP_FAILED && outcome != MZ_STEP_GIVEN_UP;
         step++) {
        mz_threads ready = machine->status->ready;
        alone = mz_threads_any(mz_threads_rest(ready)) ? 0 : alone + 1;
        if (step == LONGEST || alone > ALONE || machine->begin_again)
            break;
        mz_operation executed;
        last = choose(c, ready, last, step);
        mz_choices_prescribe(&c->choices, NULL, 0);
        outcome = machine->class->step(machine, last, &c->choices, &executed);
        mz_execution_push(c->execution, last, &executed, &c->choices);
    }
    c->steps += step + 1;
    c->longest = step > c->longest ? step : c->longest;
    return outcome;
}

static void run(scout *c)
{
    mz_search *s = c->search;
    mz_machine *machine = s->machine;
    c->random = s->statistics.scouted << 32;
    c->choices.random = c->random | 1;
    begin_ranks(c);
    mz_choices_prescribe(&c->choices, NULL, 0);
    mz_outcome outcome = machine->class->reset(machine, &c->choices);
    mz_execution_restart(c->execution, &c->choices);
    outcome = follow(c, outcome);
    /* Where there is a judge, it says who may wait: the search asks it. */
    if (!machine->begin_again &&
        (outcome == MZ_STEP_FAILED || (!machine->judge && waits_for_ever(machine->status))))
        report(c, outcome != MZ_STEP_FAILED);
    s->statistics.scouted++;
}

void mz_scout_after(mz_search *s, uint64_t events)
{
    scout c = {.search = s, .execution = mz_execution_create(s->machine, false)};
    uint64_t budget = events == MZ_SCOUT_AFTER ? events / 2 : events / PART;
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
    while (!s->stop && !s->machine->begin_again && c.steps < budget) {
        run(&c);
        mz_search_count_events(s, 0); /* the time may be over */
    }
    mz_execution_destroy(c.execution);
    mz_release(c.choices.made);
    if (s->machine->begin_again)
        s->stop = s->begin_again = true;
}

void mz_search_scout(mz_search *s)
{
    uint64_t events = s->next_scouting;
    s->scouting_due = false;
    s->next_scouting *= 10;
    mz_scout_after(s, events);
    if (s->machine->class->rewind && !s->stop)
        mz_search_repeat(s);
}
