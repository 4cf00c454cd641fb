/* The last steps of a worker that is gone, or of a thread that was left on the way: performed again in
 * another worker, to tell what they were. */
#include "base/memory.h"
#include "session/result.h"
#include "session/worker.h"

typedef struct last_steps {
    const mz_check_job *job;
    const mz_shared *gone;
    const mz_flight *flight;
    const char *message;
} last_steps;

static void take_steps(const mz_flight *flight, mz_problem *problem)
{
    problem->step_count = flight->steps;
    problem->original_steps = flight->steps;
    problem->steps = mz_allocate_zeroed(problem->step_count, sizeof *problem->steps);
    problem->choice_count = flight->choice_count;
    problem->initial_choices = flight->initial_choices;
    problem->choices = mz_allocate_zeroed(problem->choice_count, sizeof *problem->choices);
    for (size_t i = 0; i < problem->choice_count; i++)
        problem->choices[i] =
            (mz_choice){.value = flight->choices[i], .low = flight->choices[i], .high = flight->choices[i]};
    for (size_t i = 0; i < problem->step_count; i++) {
        size_t first = flight->first_choice[i];
        size_t end = i + 1 < problem->step_count ? flight->first_choice[i + 1] : problem->choice_count;
        problem->steps[i] = (mz_witness_step){
            .thread = flight->threads[i], .first_choice = first, .choice_count = end - first};
    }
}

/* The step in which it happened: not performed again, only told. */
static void tell_last_step(mz_problem *problem, mz_machine *machine, mz_witness_step *last)
{
    mz_text text = {0};
    machine->class->describe_pending(machine, last->thread, &text, &last->position);
    last->text = mz_copy_string(mz_text_string(&text));
    last->effect = mz_copy_string("followed up to here");
    mz_text_release(&text);
    problem->failure.thread = last->thread;
    problem->failure.position = last->position;
    problem->step_count++;
}

/* In another worker: all steps but the last again, to tell what they were. */
static void tell(const void *context, mz_shared *shared)
{
    const last_steps *l = context;
    mz_machine *machine = mz_native_load(l->job->settings, l->job->compiled, shared);
    if (!machine || !mz_native_set_thread_paths(machine, l->gone->threads) ||
        !mz_native_set_knowledge(machine, l->gone->places))
        return;
    mz_native_go_on(machine, NULL);
    mz_native_limit_steps(machine, l->job->settings->search.limits.depth);
    mz_problem problem = {.failure = {.kind = MZ_FAIL_CRASH}};
    mz_text difference = {0};
    size_t done;
    mz_text_add(&problem.failure.message, "%s", l->message);
    take_steps(l->flight, &problem);
    if (problem.step_count > 0) {
        mz_witness_step *last = &problem.steps[--problem.step_count];
        mz_witness_replay(&problem, machine, &done, &difference);
        if (done == problem.step_count && mz_threads_has(machine->status->ready, last->thread))
            tell_last_step(&problem, machine, last);
        else
            problem.step_count = done;
    }
    mz_report_error e;
    mz_report_error_fill(&e, &problem);
    mz_share_report(shared, &(mz_report){.errors = &e, .error_count = 1, .reason = ""});
}

mz_report_error *mz_tell_steps(const mz_check_job *j, const mz_shared *gone, const mz_flight *flight,
                               const char *message)
{
    last_steps l = {j, gone, flight, message};
    mz_ending ending;
    mz_error error = {0};
    if (!gone->threads)
        return NULL;
    double limit = j->settings->search.limits.seconds > 0 ? 1 : 0; /* so much more than that */
    mz_shared *told = mz_run_worker(tell, &l, limit, &ending, &error);
    mz_text_release(&ending.words);
    mz_error_release(&error);
    return told && told->finished ? &told->report.errors[0] : NULL;
}
