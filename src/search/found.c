/* What has gone wrong in the execution at hand: each problem is kept once, with its counterexample. */
#include "base/memory.h"
#include "search/search.h"

/* What need not be told is found by the order of the events. */
static void build_witness(mz_search *s, mz_problem *problem, const uint16_t *schedule)
{
    mz_execution *ordered =
        s->execution->track_order ? NULL : mz_execution_with_order(s->execution, s->machine);
    if (!mz_witness_build(problem, s->machine, ordered ? ordered : s->execution, schedule)) {
        s->internal_error = problem->unreplayed = true;
        mz_search_stop(s, "internal error: the counterexample does not replay");
    }
    mz_execution_destroy(ordered);
}

/* A program goes back to states since its last reset, and that was one in which peers did not wait. */
static void reset_with_peers(mz_search *s)
{
    mz_machine *machine = s->machine;
    mz_choices choices = {0};
    if (!machine->class->rewind || !(machine->refined & MZ_REFINES_SYMMETRY))
        return;
    mz_choices_prescribe(&choices, s->execution->choices, s->execution->initial_choices);
    machine->class->reset(machine, &choices);
    mz_release(choices.made);
}

void mz_search_found(mz_search *s, const mz_failure *failure)
{
    mz_search_found_in(s, failure, NULL);
}

void mz_search_found_in(mz_search *s, const mz_failure *failure, const uint16_t *schedule)
{
    if (!(s->options.checks & (1u << failure->kind))) {
        mz_unasked_note(s, failure);
        return;
    }
    if (!s->options.all_errors)
        s->stop = true;
    size_t known = 0;
    while (known < s->problem_count && !mz_failure_repeated(&s->problems[known].failure, failure))
        known++;
    s->open = mz_grow(s->open, &s->open_capacity, s->open_count + 1, sizeof *s->open);
    s->open[s->open_count++] = (mz_open_problem){known, s->execution->length};
    if (known < s->problem_count)
        return;
    s->problems = mz_grow(s->problems, &s->problem_capacity, s->problem_count + 1, sizeof *s->problems);
    mz_problem *problem = &s->problems[s->problem_count];
    *problem = (mz_problem){0};
    mz_failure_copy(&problem->failure, failure);
    s->problem_count++;
    build_witness(s, problem, schedule);
    reset_with_peers(s);
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
}

/* ---- threads that fail ----------------------------------------------------------------------------------
 */

/* Threads have failed in the last step or reset. Building a counterexample uses the machine: take the
 * failures first. */
void mz_search_report_failures(mz_search *s)
{
    uint32_t count = s->machine->failure_count;
    mz_failure *failures = mz_allocate_zeroed(count, sizeof *failures);
    for (uint32_t i = 0; i < count; i++)
        mz_failure_copy(&failures[i], &s->machine->failures[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (!s->stop)
            mz_search_found(s, &failures[i]);
        mz_failure_release(&failures[i]);
    }
    mz_release(failures);
}

/* ---- threads that wait for ever --------------------------------------------------------------------------
 */

static void report_stuck(mz_search *s, mz_failure *failure)
{
    if (!s->stop) /* the first error is not the only one that is asked for */
        mz_search_found(s, failure);
    mz_failure_release(failure);
}

/* A state can be both: some threads spin, and others would wait for ever whatever those do. Then it is told
 * as what is asked for; of the two the deadlock is told first if threads wait for each other in a circle, and
 * otherwise the livelock, which may be what the others wait for. */
void mz_search_report_deadlock(mz_search *s)
{
    mz_machine *machine = s->machine;
    mz_threads spinning = machine->status->spinning, waiting = machine->status->blocked & ~spinning;
    bool circle = false, some_spin = mz_threads_any(spinning);
    if (some_spin && machine->class->deadlocked)
        waiting = machine->class->deadlocked(machine, &circle);
    bool some_wait = mz_threads_any(waiting);
    mz_failure deadlock = {0}, livelock = {0};
    if (some_wait)
        deadlock = mz_describe_stuck(machine, MZ_FAIL_DEADLOCK, waiting, machine->status->blocked);
    if (some_spin)
        livelock = mz_describe_stuck(machine, MZ_FAIL_LIVELOCK, spinning, machine->status->blocked);
    if (some_wait && (circle || !some_spin))
        report_stuck(s, &deadlock);
    if (some_spin)
        report_stuck(s, &livelock);
    if (some_wait && some_spin && !circle)
        report_stuck(s, &deadlock);
}

void mz_search_report_partial_deadlock(mz_search *s)
{
    mz_machine *machine = s->machine;
    const mz_status *status = machine->status;
    if (!machine->class->locked_for_ever || status->ended || mz_threads_any(status->failed))
        return;
    mz_threads waiting = machine->class->locked_for_ever(machine);
    if (!mz_threads_any(waiting))
        return;
    mz_failure deadlock = mz_describe_stuck(machine, MZ_FAIL_DEADLOCK, waiting, waiting);
    report_stuck(s, &deadlock);
}
