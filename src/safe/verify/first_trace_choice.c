#include "safe/verify/first_trace_choice.h"

#include <string.h>

#include "base/memory.h"
#include "base/processors.h"
#include "program/program.h"
#include "safe/plan/cost.h"
#include "safe/plan/extract.h"
#include "safe/plan/trace_order.h"

/* So many events of candidates are looked at: choosing is to be nothing beside verifying. */
enum { MOST_EVENTS = 200000, MOST_EVENTS_OF_STRATEGY = 4 * MZ_MOST_CASE_EVENTS };

void mz_first_trace_parse(const char *name, mz_first_trace *which, mz_error *error)
{
    mz_text known = {0};
    for (int i = 0; i < MZ_FIRST_TRACE_COUNT; i++) {
        const char *word = mz_first_trace_name((mz_first_trace)i);
        if (strcmp(name, word) == 0) {
            *which = (mz_first_trace)i;
            mz_text_release(&known);
            return;
        }
        mz_text_add(&known, "%s%s", i ? ", " : "", word);
    }
    mz_error_set(error, (mz_position){0}, "option --first-trace: unknown '%s'", name);
    mz_error_set_hint(error, "there are: %s", mz_text_string(&known));
    mz_text_release(&known);
}

void mz_first_trace_help(mz_text *out)
{
    mz_text_add(out, "\nrules for --first-trace, who comes next:\n"
                     "  auto          each of the following is tried in the checker, but for free-run, and\n"
                     "                the one is taken under which the program should run fastest\n");
#define MZ_X(constant, name, words) mz_text_add(out, "  %-13s %s\n", name, words);
    MZ_FIRST_TRACES(MZ_X)
#undef MZ_X
}

/* A rule that is being tried. */
typedef struct candidate {
    mz_machine *machine;
    mz_strategy strategy;
    double cost;  /* of all of its executions */
    bool differs; /* one of them cannot be repeated */
} candidate;

/* The constraints that keep a program to this execution; false if it cannot be repeated. */
static bool extract(mz_machine *machine, const mz_execution *x, mz_plan *plan)
{
    mz_extraction extraction = {0};
    *plan = (mz_plan){0};
    bool good = mz_plan_extract(plan, &extraction, machine, x, 0, false) && !machine->begin_again;
    for (uint32_t t = 1; good && t < plan->thread_count; t++)
        mz_native_birth(machine, t, &plan->threads[t].parent, &plan->threads[t].child);
    mz_extraction_release(&extraction);
    return good;
}

/* What was found last, in the order in which it is to be followed. */
static void arrange(candidate *c, const mz_plan *plan, const mz_execution *x)
{
    mz_schedule *leaf = &c->strategy.leaves[c->strategy.count - 1];
    uint32_t fixed = (uint32_t)mz_schedule_last_read(c->machine, leaf, SIZE_MAX);
    uint32_t *order = mz_allocate_zeroed(x->length, sizeof *order);
    mz_plan_order(plan, x, fixed, mz_processors(), order);
    mz_schedule_release(leaf);
    mz_schedule_copy_in_order(leaf, x, order);
    mz_release(order);
}

static void look_at_leaf(void *context, const mz_execution *x)
{
    candidate *c = context;
    mz_plan plan = {0};
    if (c->strategy.events > MOST_EVENTS)
        return; /* as it is, then */
    if (extract(c->machine, x, &plan)) {
        c->cost += mz_plan_cost(&plan, x, NULL, mz_processors());
        arrange(c, &plan, x);
    } else {
        c->differs = true;
    }
    mz_plan_release(&plan);
}

static void take(mz_first_choice *choice, candidate *c, mz_first_trace which, bool is_for_all)
{
    mz_strategy_release(&choice->strategy);
    choice->strategy = c->strategy;
    c->strategy = (mz_strategy){0};
    choice->which = which;
    choice->is_for_all = is_for_all;
}

static bool find(candidate *c, mz_execution *x, const mz_first_goal *goal, const mz_limits *limits,
                 mz_strategy_goal how)
{
    how.seen = goal->seen;
    how.valuation = goal->valuation;
    how.valuation_length = goal->valuation_length;
    how.leaf = look_at_leaf;
    how.context = c;
    return mz_strategy_find(c->machine, x, &how, limits, &c->strategy) && !c->differs;
}

static const char TOO_MANY[] = "all inputs together have too many values: narrow their ranges";

static void try_candidate(candidate *c, mz_execution *x, mz_first_trace which, const mz_first_goal *goal,
                          const mz_limits *limits, mz_first_choice *choice)
{
    bool found = find(
        c, x, goal, limits,
        (mz_strategy_goal){
            .rule = which, .only_rule = true, .most_events = MOST_EVENTS_OF_STRATEGY, .until = goal->until});
    double cost = c->strategy.count > 0 ? c->cost / (double)c->strategy.count : 0;
    if (found && (!choice->is_for_all || cost < choice->cost)) {
        take(choice, c, which, true);
        choice->cost = cost;
    } else if (c->strategy.is_too_large && choice->which == MZ_FIRST_AUTO) {
        choice->trouble = c->strategy.reads_later ? TOO_MANY : NULL;
        take(choice, c, which, false);
        choice->cost = cost;
    }
}

/* No rule ends well with all inputs: what does is searched for, first in the order of one of them. */
static void search_strategy(mz_machine *machine, mz_execution *x, const mz_first_goal *goal,
                            const mz_limits *limits, mz_first_choice *choice)
{
    mz_first_trace which = goal->which == MZ_FIRST_AUTO ? MZ_FIRST_SEQUENTIAL : goal->which;
    candidate c = {.machine = machine};
    if (find(&c, x, goal, limits,
             (mz_strategy_goal){.rule = which, .most_events = UINT64_MAX, .until = goal->until}))
        take(choice, &c, which, true);
    else
        choice->trouble =
            "no order of what comes before is safe for all of its values, or none was found in time";
    mz_strategy_release(&c.strategy);
}

void mz_choose_first(mz_machine *machine, const mz_first_goal *goal, const mz_limits *limits,
                     mz_first_choice *choice)
{
    mz_execution *x = mz_execution_create(machine, true);
    size_t events = 0;
    bool reads_later = goal->must_search;
    *choice = (mz_first_choice){0};
    for (int i = MZ_FIRST_AUTO + 1; i < MZ_FIRST_TRACE_COUNT && events < MOST_EVENTS &&
                                    !machine->begin_again && !choice->strategy.is_too_large;
         i++) {
        bool wanted = goal->which == MZ_FIRST_AUTO || goal->which == (mz_first_trace)i;
        bool interrupted = limits->interrupted && *limits->interrupted;
        if (!wanted || interrupted || (i == MZ_FIRST_FREE_RUN && !goal->seen))
            continue;
        candidate c = {.machine = machine};
        try_candidate(&c, x, (mz_first_trace)i, goal, limits, choice);
        events += c.strategy.events + choice->strategy.events;
        reads_later |= c.strategy.reads_later;
        mz_strategy_release(&c.strategy);
    }
    if (choice->which == MZ_FIRST_AUTO && reads_later && !machine->begin_again)
        search_strategy(machine, x, goal, limits, choice);
    mz_execution_destroy(x);
}
