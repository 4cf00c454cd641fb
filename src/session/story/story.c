#include "session/story/story.h"

#include "base/memory.h"
#include "session/story/story_internal.h"

/* Seconds, if all else fails: the effort is bounded in events. */
enum { MOST_PATIENCE = 8, MOST_ERRORS = 16 };

/* ---- a simpler one --------------------------------------------------------------------------------------
 */

/* The execution of a schedule; the machine is at its end. NULL: it cannot be made. */
static mz_execution *execute(mz_machine *machine, const mz_schedule *s)
{
    mz_choices choices = {0};
    mz_operation executed;
    mz_execution *x = mz_execution_create(machine, true);
    mz_choices_prescribe(&choices, s->choices, s->initial_choices);
    machine->class->reset(machine, &choices);
    mz_execution_restart(x, &choices);
    bool goes = true;
    for (size_t i = 0; i < s->length && goes; i++) {
        size_t count;
        const mz_choice *made = mz_schedule_choices(s, i, &count);
        goes = mz_threads_has(machine->status->ready, s->threads[i]);
        if (!goes)
            break;
        mz_choices_prescribe(&choices, made, count);
        machine->most_further = machine->goes_on = machine->together = 0;
        goes = machine->class->step(machine, s->threads[i], &choices, &executed) != MZ_STEP_GIVEN_UP;
        mz_execution_push(x, s->threads[i], &executed, &choices);
    }
    mz_release(choices.made);
    if (!goes) {
        mz_execution_destroy(x);
        return NULL;
    }
    return x;
}

static bool is_simpler(const mz_problem *a, const mz_problem *b)
{
    return a->context_switches < b->context_switches ||
           (a->context_switches == b->context_switches && a->step_count < b->step_count);
}

/* Told in its place if it fails in the same way, and is simpler after all. */
static void replace(mz_problem *problem, mz_machine *machine, const mz_schedule *schedule)
{
    mz_problem other = {.occurrences = problem->occurrences};
    mz_execution *x = execute(machine, schedule);
    if (!x)
        return;
    mz_failure_copy(&other.failure, &problem->failure);
    if (problem->failure.kind == MZ_FAIL_DEADLOCK) /* others may wait, or for something else */
        mz_waits_alike(machine, &problem->failure, &other.failure);
    bool simpler = mz_witness_build(&other, machine, x, NULL) &&
                   (is_simpler(&other, problem) ||
                    (machine->weak && mz__is_interleaving(&other) && !mz__is_interleaving(problem)));
    if (simpler) {
        mz_problem before = *problem;
        other.original_steps = problem->original_steps;
        *problem = other;
        other = before;
    }
    mz_problem_release(&other);
    mz_execution_destroy(x);
}

static void simplify(mz_problem *problem, mz_machine *machine, double seconds)
{
    mz_bytes found = {0};
    mz_schedule schedule;
    if (mz__apart(mz__find_neighbour, problem, machine, seconds, &found) && found.length > 0) {
        mz_byte_reader reader = {.data = found.data, .length = found.length};
        if (mz_schedule_read(&reader, &schedule)) {
            replace(problem, machine, &schedule);
            mz_schedule_release(&schedule);
        }
    }
    mz_bytes_release(&found);
}

/* ---- the step that decides ------------------------------------------------------------------------------
 */

/* The steps of the execution that passes, in words. */
static void tell_passing(mz_problem *problem, mz_machine *machine, const mz_schedule *s)
{
    size_t done;
    mz_text ignored = {0};
    mz_problem passing = {.failure = {.kind = problem->failure.kind},
                          .steps = mz_allocate_zeroed(s->length, sizeof *passing.steps),
                          .step_count = s->length,
                          .choices = s->choices,
                          .choice_count = mz_schedule_choice_count(s),
                          .initial_choices = s->initial_choices};
    for (size_t i = 0; i < s->length; i++) {
        size_t count;
        const mz_choice *choices = mz_schedule_choices(s, i, &count);
        passing.steps[i] = (mz_witness_step){
            .thread = s->threads[i], .first_choice = (size_t)(choices - s->choices), .choice_count = count};
    }
    mz_witness_replay(&passing, machine, &done, &ignored);
    mz_text_release(&ignored);
    problem->decision.passing = passing.steps;
    problem->decision.passing_count = done;
    passing.steps = NULL;
    passing.step_count = 0;
    passing.choices = NULL; /* the schedule's */
    mz_problem_release(&passing);
}

static void decide(mz_problem *problem, mz_machine *machine, double seconds)
{
    mz_bytes found = {0};
    mz_schedule passing;
    if (mz__apart(mz__find_decision, problem, machine, seconds, &found)) {
        mz_byte_reader reader = {.data = found.data, .length = found.length};
        mz_decisive *d = &problem->decision;
        d->decided = (mz_decided)mz_read_number_to(&reader, MZ_DECIDED_AT_START);
        d->step = (size_t)mz_read_number(&reader);
        d->tried = mz_read_number(&reader);
        bool has_passing = d->decided == MZ_DECIDED_IN_STEP || d->decided == MZ_DECIDED_PERHAPS;
        if (has_passing && mz_schedule_read(&reader, &passing)) {
            tell_passing(problem, machine, &passing);
            mz_schedule_release(&passing);
        }
    }
    mz_bytes_release(&found);
}

static bool has_story(const mz_problem *problem, const mz_machine *machine)
{
    return !problem->unreplayed && !machine->has_boundaries && !machine->begin_again &&
           problem->failure.kind != MZ_FAIL_HISTORY;
}

void mz_story_decide(mz_problem *problem, mz_machine *machine)
{
    machine->repeats = true;
    if (has_story(problem, machine) && !machine->weak)
        decide(problem, machine, MOST_PATIENCE);
    machine->repeats = false;
}

static double patience(double deadline)
{
    double left = deadline > 0 ? deadline - mz_seconds_now() : MOST_PATIENCE;
    return left < MOST_PATIENCE ? left : MOST_PATIENCE;
}

void mz_story_tell(mz_result *result, mz_machine *machine, double deadline)
{
    mz_search *s = &result->search;
    if (s->options.all_errors && machine->class->rewind)
        return; /* such programs go on after a race: what passes is not told from what fails */
    machine->repeats = true;
    for (size_t i = 0; i < s->problem_count && i < MOST_ERRORS; i++) {
        mz_problem *problem = &s->problems[i];
        if (!has_story(problem, machine))
            continue;
        simplify(problem, machine, patience(deadline));
        if (!machine->weak) /* what else could be read is no continuation of the steps */
            decide(problem, machine, patience(deadline));
        mz_report_error_release(&result->report.errors[i]);
        mz_report_error_fill(&result->report.errors[i], problem);
    }
    machine->repeats = false;
}
