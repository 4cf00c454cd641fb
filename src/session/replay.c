#include "session/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/clients/clients.h"
#include "session/process/wide.h"
#include "session/program.h"
#include "session/result.h"
#include "session/story/story.h"

/* Whose highest number? There is one word for each thread but the first. */
static uint32_t count_all(const mz_trace *trace)
{
    uint32_t words = 1, last = trace->problem.failure.thread;
    for (const char *word = mz_text_string(&trace->threads); (word = strchr(word, '.')); word++)
        words++;
    for (size_t i = 0; i < trace->problem.step_count; i++)
        last = trace->problem.steps[i].thread > last ? trace->problem.steps[i].thread : last;
    return words > last ? words : last + 1;
}

bool mz_replay_load(mz_replay *replay, const char *file, mz_error *error)
{
    mz_trace *trace = &replay->trace;
    *replay = (mz_replay){0};
    if (!mz_trace_load(trace, file, error))
        return false;
    if (count_all(trace) <= MZ_MAX_THREADS)
        return true;
    mz_go_wide();
    mz_error_set(error, (mz_position){.file = file}, "it has more than %d threads", MZ_MAX_THREADS);
    mz_error_set_hint(error, "mazurka-wide can follow them; it is to be beside mazurka");
    return false;
}

/* Threads that wait in a loop of their own have to be seen going round once before it is known that they do.
 */
static void go_on(mz_machine *machine)
{
    enum { MOST_STEPS = 2000 };
    mz_choices choices = {0};
    mz_operation executed;
    uint32_t thread = MZ_MAX_THREADS;
    for (int i = 0; i < MOST_STEPS && mz_threads_any(machine->status->ready); i++) {
        do
            thread = thread >= MZ_MAX_THREADS - 1 ? 0 : thread + 1;
        while (!mz_threads_has(machine->status->ready, thread));
        mz_choices_prescribe(&choices, NULL, 0);
        if (machine->class->step(machine, thread, &choices, &executed) == MZ_STEP_GIVEN_UP)
            break;
    }
    mz_release(choices.made);
}

static bool run_again(mz_trace *trace, mz_machine *machine, size_t *done, mz_text *difference)
{
    enum { ROUNDS = 24 };
    mz_problem *problem = &trace->problem;
    mz_failure_kind kind = problem->failure.kind;
    bool waits = trace->settings.native && (kind == MZ_FAIL_DEADLOCK || kind == MZ_FAIL_LIVELOCK);
    machine->ignore_assertions = !(trace->settings.search.checks & (1u << MZ_FAIL_ASSERTION));
    bool alike = mz_witness_replay(problem, machine, done, difference);
    for (int i = 0; waits && !alike && *done == problem->step_count &&
                    mz_threads_any(machine->status->ready) && i < ROUNDS;
         i++) {
        go_on(machine);
        alike = mz_witness_replay(problem, machine, done, difference);
    }
    if (alike &&
        kind == MZ_FAIL_RACE) /* now that it is known what to look for: where was the earlier access? */
        alike = mz_witness_replay(problem, machine, done, difference);
    const mz_failure *now = mz_failure_find(machine->failures, machine->failure_count, &problem->failure);
    if (alike && now)
        mz_failure_copy(&problem->failure, now); /* in its own words */
    return alike;
}

static uint32_t count_threads(const mz_status *s)
{
    return mz_threads_count(s->ready | s->blocked | s->finished | s->pruned | s->failed);
}

/* The report points into the trace and its one error. */
static void fill_report(mz_report *report, mz_report_error *error, const mz_trace *trace,
                        const mz_machine *machine, size_t done, const char *difference)
{
    mz_problem shown = trace->problem;
    shown.step_count = done;
    mz_report_error_fill(error, &shown);
    *report = (mz_report){.version = MZ_VERSION,
                          .program = trace->settings.files[0],
                          .algorithm = "replay",
                          .equivalence_word = "traces",
                          .thread_word = machine->class->thread_word,
                          .verdict = difference[0] ? MZ_INCOMPLETE : MZ_UNSAFE,
                          .reason = difference,
                          .share_done = 1,
                          .peak_bytes = mz_memory_peak(),
                          .thread_count = count_threads(machine->status),
                          .checks = trace->settings.search.checks & machine->class->failure_kinds,
                          .errors = error,
                          .error_count = 1};
}

/* ---- models ---------------------------------------------------------------------------------------------
 */

static void replay_model(mz_replay *r, mz_error *error)
{
    const mz_settings *s = &r->trace.settings;
    size_t done;
    r->model = mz_model_load(s->files[0], s->definitions, s->definition_count, error);
    if (!r->model)
        return;
    r->machine = mz_model_machine(r->model, s->search.memory);
    mz_story_decide(&r->trace.problem, r->machine);
    run_again(&r->trace, r->machine, &done, &r->words);
    fill_report(&r->report, &r->shown, &r->trace, r->machine, done, mz_text_string(&r->words));
}

/* ---- programs -------------------------------------------------------------------------------------------
 */

typedef struct job {
    mz_trace *trace;
    const mz_compiled *compiled;
} job;

/* What the calls of a client returned is compared with what they return alone. */
static void compare_with_alone(mz_client_plan *clients, mz_settings *s, mz_machine *machine)
{
    mz_client client;
    mz_error error = {0};
    mz_client_of_word(s->client, &client);
    mz_clients_begin(clients, s, machine);
    mz_clients_take(clients, &client, &error);
    if (clients->specification)
        mz_specification_end(clients->specification);
    mz_error_release(&error);
}

/* ---- for a debugger, see cmd/stepping/gdb.c ---- */

/* The debugger stops here. */
void mz_debug_stop(void);
__attribute__((noinline, used)) void mz_debug_stop(void)
{
    __asm__ volatile("");
}

extern mz_debug_table mz_debug;
__attribute__((used)) mz_debug_table mz_debug;

static void watch(mz_machine *machine, size_t step, uint32_t thread)
{
    mz_debug.step = step;
    mz_debug.thread = thread;
    mz_debug.count = MZ_MAX_THREADS;
    mz_native_frames(machine, mz_debug.frames);
    mz_debug_stop();
}

/* Once more, as it is known by now how it goes. */
static void run_for_debugger(mz_trace *trace, mz_machine *machine)
{
    mz_text difference = {0};
    size_t done;
    mz_debug.steps = trace->problem.step_count;
    machine->watch = watch;
    mz_witness_replay(&trace->problem, machine, &done, &difference);
    machine->watch = NULL;
    mz_text_release(&difference);
}

/* In the worker: what it allocates goes with it. */
static void work(const void *context, mz_shared *shared)
{
    const job *j = context;
    mz_settings *settings = &j->trace->settings;
    bool judged = settings->client && j->trace->problem.failure.kind == MZ_FAIL_HISTORY;
    mz_client_plan clients = {0};
    mz_error error = {0};
    settings->search.checks |= judged ? 1u << MZ_FAIL_HISTORY : 0;
    if (judged && !mz_clients_specify(&clients, settings, 1, &error)) {
        mz_share_refusal(shared, &error);
        return;
    }
    mz_machine *machine = mz_native_load(settings, j->compiled, shared);
    if (!machine)
        return;
    if (judged)
        compare_with_alone(&clients, settings, machine);
    if (!mz_native_set_thread_paths(machine, mz_text_string(&j->trace->threads)) ||
        !mz_native_set_knowledge(machine, mz_text_string(&j->trace->shared))) {
        snprintf(shared->message, sizeof shared->message,
                 "the lines 'threads' and 'shared' of the file do not fit the program; check it again");
        return;
    }
    mz_text difference = {0};
    mz_report report;
    mz_report_error shown;
    size_t done;
    mz_native_narrate(machine, true);
    mz_native_go_on(machine, NULL);
    mz_native_limit_steps(machine, j->trace->settings.search.limits.depth);
    if (!getenv(MZ_DEBUG_VARIABLE))
        mz_story_decide(&j->trace->problem, machine);
    run_again(j->trace, machine, &done, &difference);
    if (getenv(MZ_DEBUG_VARIABLE))
        run_for_debugger(j->trace, machine);
    fill_report(&report, &shown, j->trace, machine, done, mz_text_string(&difference));
    report.output = mz_native_output(machine);
    report.history = clients.picture.length > 0 ? mz_text_string(&clients.picture) : NULL;
    mz_share_report(shared, &report);
}

static void replay_compiled(mz_replay *r, const mz_compiled *compiled, mz_error *error)
{
    mz_ending ending;
    mz_catch_interrupts(true);
    mz_shared *shared = mz_run_worker(work, &(job){&r->trace, compiled}, 0, &ending, error);
    r->words = ending.words;
    if (error->set)
        return;
    if (shared->finished) {
        r->report = shared->report;
        mz_sources_show(&r->sources, &r->report);
    } else {
        r->report = mz_report_of_nothing(&r->trace.settings, "replay");
        r->report.count_count = 0;
        r->report.reason = mz_text_string(&r->words);
    }
}

static void replay_program(mz_replay *r, mz_error *error)
{
    mz_compiled compiled = {0};
    if (mz_native_build(&r->trace.settings, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        replay_compiled(r, &compiled, error);
    }
    mz_compiled_release(&compiled);
}

static void note_changes(mz_replay *r)
{
    mz_trace_changed(&r->trace, &r->changed);
    for (size_t i = 0; i < r->changed.count; i++) {
        mz_text note = {0};
        mz_text_add(&note, "%s has changed since the counterexample was found", r->changed.items[i]);
        mz_words_add(&r->notes, mz_text_string(&note));
        mz_text_release(&note);
    }
    r->report.notes = mz_words_list(&r->notes);
    r->report.note_count = r->notes.count;
}

void mz_replay_run(mz_replay *r, mz_error *error)
{
    mz_trace_enter(&r->trace);
    if (r->trace.settings.native)
        replay_program(r, error);
    else
        replay_model(r, error);
    if (!error->set) {
        note_changes(r);
        mz_sources_hand(&r->sources, &r->report, 1);
    }
}

void mz_replay_release(mz_replay *r)
{
    mz_report_error_release(&r->shown);
    if (r->machine)
        r->machine->class->destroy(r->machine);
    if (r->model)
        mz_model_destroy(r->model);
    mz_sources_release(&r->sources);
    mz_words_release(&r->changed);
    mz_words_release(&r->notes);
    mz_text_release(&r->words);
    mz_trace_release(&r->trace);
}
