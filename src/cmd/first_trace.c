#define _GNU_SOURCE /* sched_getaffinity */

#include "cmd/first_trace.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"
#include "enforce/cost.h"
#include "enforce/extract.h"
#include "enforce/order.h"
#include "native/native.h"

/* So many events of candidates are looked at: choosing is to be nothing beside verifying. */
enum { MOST_EVENTS = 200000 };

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

uint32_t mz_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

/* The constraints that keep a program to this execution; false if it cannot be repeated. */
static bool extract(mz_machine *machine, const mz_execution *x, mz_plan *plan)
{
    mz_extraction extraction = {0};
    *plan = (mz_plan){0};
    bool good = mz_plan_extract(plan, &extraction, machine, x, false) && !machine->begin_again;
    for (uint32_t t = 1; good && t < plan->thread_count; t++)
        mz_native_birth(machine, t, &plan->threads[t].parent, &plan->threads[t].child);
    mz_extraction_release(&extraction);
    return good;
}

static void take(mz_first_choice *choice, const mz_plan *plan, const mz_execution *x)
{
    uint32_t *order = mz_allocate_zeroed(x->length, sizeof *order);
    mz_plan_order(plan, x, mz_processors(), order);
    mz_schedule_release(&choice->schedule);
    mz_schedule_copy_in_order(&choice->schedule, x, order);
    mz_release(order);
}

static void try_candidate(mz_machine *machine, mz_execution *x, mz_first_trace which,
                          const mz_first_wish *wish, const mz_limits *limits, mz_first_choice *choice)
{
    mz_plan plan = {0};
    if (mz_first_trace_run(machine, x, which, wish->seen, wish->valuation, wish->valuation_length,
                           limits->depth) &&
        extract(machine, x, &plan)) {
        double cost = mz_plan_cost(&plan, x, NULL, mz_processors());
        if (choice->which == MZ_FIRST_AUTO || cost < choice->cost) {
            take(choice, &plan, x);
            choice->which = which;
            choice->cost = cost;
        }
    }
    mz_plan_release(&plan);
}

void mz_choose_first(mz_machine *machine, const mz_first_wish *wish, const mz_limits *limits,
                     mz_first_choice *choice)
{
    mz_execution *x = mz_execution_create(machine, true);
    size_t events = 0;
    *choice = (mz_first_choice){0};
    for (int i = MZ_FIRST_AUTO + 1; i < MZ_FIRST_TRACE_COUNT && events < MOST_EVENTS && !machine->begin_again;
         i++) {
        bool wanted = wish->which == MZ_FIRST_AUTO || wish->which == (mz_first_trace)i;
        bool interrupted = limits->interrupted && *limits->interrupted;
        if (!wanted || interrupted || (i == MZ_FIRST_FREE_RUN && !wish->seen))
            continue;
        try_candidate(machine, x, (mz_first_trace)i, wish, limits, choice);
        events += x->length;
    }
    mz_execution_destroy(x);
}
