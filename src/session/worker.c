/* A program under test may do anything to the process it runs in. So the check happens in a worker, forked
 * for each algorithm, and the supervisor prints what comes back: a report in shared memory, at the same
 * address in both, or, if the worker is gone without one, what is known about how it went. */
#define _GNU_SOURCE /* memfd_create */
#include "session/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "session/result.h"
#include "session/sources.h"
#include "session/trace_file.h"
#include "session/wide.h"
#include "session/widen.h"

/* ---- the worker
 * -------------------------------------------------------------------------------------------- */

static mz_race_treatment races(const mz_settings *s)
{
    return s->search.checks & (1u << MZ_FAIL_RACE) ? MZ_RACES_ARE_ERRORS
           : s->report_races                       ? MZ_RACES_ARE_REPORTED
                                                   : MZ_RACES_ARE_IGNORED;
}

/* A copy: how often each was used is counted in it. */
static mz_suppressions *shared_suppressions(const mz_settings *s)
{
    if (s->suppressions.count == 0)
        return NULL;
    mz_suppressions *copy = mz_allocate(sizeof *copy);
    *copy = s->suppressions;
    return copy;
}

/* A thread that gets nowhere is to leave time for the others. */
static double patience_of(const mz_settings *s)
{
    double limit = s->search.limits.seconds;
    return s->patience > 0 ? s->patience : limit > 0 && limit < 12 ? limit / 4 : 3;
}

mz_machine *mz_native_load(const mz_settings *s, const mz_compiled *compiled, mz_shared *shared)
{
    char **arguments = mz_allocate_zeroed(s->arguments.count + 2, sizeof *arguments);
    arguments[0] = mz_copy_string(s->files[0]);
    for (size_t i = 0; i < s->arguments.count; i++)
        arguments[i + 1] = mz_copy_string(s->arguments.items[i]);
    mz_native_options options = {.library = compiled->library,
                                 .argument_count = (int)s->arguments.count + 1,
                                 .arguments = arguments,
                                 .entries = compiled->entries,
                                 .entry_count = compiled->entry_count,
                                 .checks = s->search.checks,
                                 .races = races(s),
                                 .suppressions = shared_suppressions(s),
                                 .plain_accesses = s->plain_accesses,
                                 .join_at_exit = s->join_at_exit,
                                 .all_errors = s->search.all_errors,
                                 .unroll = s->unroll,
                                 .unroll_places = s->unroll_places,
                                 .unroll_place_count = s->unroll_place_count,
                                 .spurious = s->spurious,
                                 .reuses = s->reuses,
                                 .patience = patience_of(s),
                                 .memory = s->search.limits.memory,
                                 .keeps_vain_rounds = s->keeps_vain_rounds,
                                 .nondet_low = s->nondet_low,
                                 .nondet_high = s->nondet_high,
                                 .inline_assembly = compiled->inline_assembly,
                                 .executable_stack = compiled->executable_stack,
                                 .by_clang = strstr(compiled->compiler_version, "clang"),
                                 .by_gcc = strstr(compiled->compiler_version, "GCC"),
                                 .optimised = compiled->optimised,
                                 .entries_with_null = compiled->entries_with_null,
                                 .allowed = compiled->allowed};
    mz_error error = {0};
    mz_text text = {0};
    snprintf(shared->message, sizeof shared->message, "%s",
             "the program crashes while it is loaded, before the checker can watch it: does a resolver of an "
             "indirect function (attribute ifunc) use variables?");
    mz_machine *machine = mz_native_create(&options, &error);
    if (!machine)
        mz_error_print(&error, &text);
    snprintf(shared->message, sizeof shared->message, "%s", mz_text_string(&text));
    mz_text_release(&text);
    return machine;
}

typedef struct job {
    const mz_settings *settings;
    const mz_compiled *compiled;
    const mz_algorithm *algorithm;
    double begun; /* since when its time is counted */
} job;

static double deadline_of(const job *j)
{
    double limit = j->settings->search.limits.seconds;
    return limit > 0 ? j->begun + limit : 0;
}

void mz_share_ground(const mz_machine *machine, mz_shared *shared)
{
    mz_text threads = {0}, places = {0};
    mz_native_thread_paths(machine, &threads);
    mz_native_knowledge(machine, &places);
    shared->threads = mz_share_text(shared, mz_text_string(&threads));
    shared->places = mz_share_text(shared, mz_text_string(&places));
}

/* Not every algorithm can tell when it has seen enough of a program that does not end. NULL: the one that was
 * asked for cannot. */
static const mz_algorithm *algorithm_for(const job *j, const mz_machine *machine)
{
    if (!machine->has_boundaries || j->algorithm->closes_loops)
        return j->algorithm;
    return j->settings->algorithm_is_default ? &mz_algorithm_source : NULL;
}

static void refuse_boundaries(const mz_algorithm *algorithm, mz_shared *shared)
{
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (mz_algorithms[i]->closes_loops)
            mz_text_add(&names, "%s%s", names.length > 0 ? ", " : "", mz_algorithms[i]->name);
    snprintf(shared->message, sizeof shared->message,
             "the algorithm '%s' cannot follow a program with mz_loop_boundary(); these can: %s",
             algorithm->name, mz_text_string(&names));
    mz_text_release(&names);
}

/* What happened in all executions, unless one of them is told anyway. */
static void note_executions(mz_result *result, mz_machine *machine, bool complete)
{
    static const char *lines[MZ_NATIVE_NOTES + 1];
    static uint8_t statuses[256];
    mz_report *r = &result->report;
    r->exit_statuses = statuses;
    r->exit_status_count = mz_native_exit_statuses(machine, statuses);
    if (r->error_count > 0)
        return;
    bool alone = r->thread_count <= 1, apart = result->search.statistics.events == 0;
    r->notes = lines;
    bool safe = strcmp(r->verdict, "safe") == 0;
    r->note_count = mz_native_notes(machine, safe && complete, lines);
    if (safe && (alone || apart))
        lines[r->note_count++] = alone ? "only one thread ran: there was nothing to interleave"
                                       : "no two threads used the same memory at the same time: there was "
                                         "nothing to interleave";
}

/* Without a time limit a program in which threads are left again and again would be searched for ever. */
enum { MOST_STUCK = 300 };
/* What has led to the end of a very long execution is no more than that it is long. */
enum { MOST_STEPS_TOLD = 1000 };

/* With more threads than there is room for, another program is to take over (wide.h). A short look first: a
 * loop that creates threads without end has its bug among the first of them, most often. */
enum { EVENTS_BEFORE_WIDE = 50000 };

static void look_shortly(mz_limits *limits)
{
    if (limits->events == 0 || limits->events > EVENTS_BEFORE_WIDE)
        limits->events = EVENTS_BEFORE_WIDE;
    limits->seconds = limits->seconds > 0 ? limits->seconds / 5 : 5;
}

static bool found_bug(const mz_shared *shared)
{
    return shared->finished && strcmp(shared->report.verdict, "unsafe") == 0;
}

static void search(const void *context, mz_shared *shared)
{
    const job *j = context;
    mz_result result = {0};
    mz_machine *machine = mz_native_load(j->settings, j->compiled, shared);
    if (!machine)
        return;
    machine->by_observation = j->algorithm->equivalence == MZ_OBSERVATION;
    mz_native_record(machine, &shared->flight);
    mz_native_go_on(machine, &shared->stuck_way);
    mz_native_set_deadline(machine, deadline_of(j));
    mz_settings settings = *j->settings;
    bool looks_shortly = false;
    mz_text tried = {0};
    mz_native_limit_steps(machine, settings.search.limits.depth);
    if (settings.search.limits.seconds == 0)
        settings.search.limits.stuck = MOST_STUCK;
    settings.search.limits.longest = settings.search.limits.depth;
    settings.search.limits.depth *= 2; /* the others may go on */
    for (;;) {
        mz_native_prepare(machine);
        mz_share_ground(machine, shared);
        const mz_algorithm *algorithm = algorithm_for(j, machine);
        if (!algorithm) {
            refuse_boundaries(j->algorithm, shared);
            return;
        }
        settings.search.limits.seconds_before = mz_seconds_now() - j->begun;
        if (shared->flight.too_many_threads && MZ_MAX_THREADS < MZ_WIDE_THREADS && !looks_shortly) {
            looks_shortly = true;
            look_shortly(&settings.search.limits);
        }
        mz_result_run(&result, machine, &settings, settings.files[0], algorithm);
        bool widened = !result.search.begin_again && mz_search_pruned_all(&result.search) &&
                       mz_widen_nondet(&settings, machine, algorithm, j->begun, &tried);
        if (!result.search.begin_again && !widened)
            break;
        mz_result_release(&result); /* the machine has learned something */
        result = (mz_result){0};
    }
    size_t most = MZ_NATIVE_ASSUMPTIONS + settings.suppressions.count;
    const char **lines = mz_allocate(most * sizeof *lines);
    mz_text *reason = &result.search.reason, cut = {0};
    if (result.search.is_vacuous)
        mz_text_add(reason, "%s", mz_text_string(&tried));
    result.report.reason = mz_text_string(reason);
    shared->nondet_low = settings.nondet_low;
    shared->nondet_high = settings.nondet_high;
    result.report.warnings = mz_native_warnings(machine, &result.report.warning_count);
    result.report.assumption_count = mz_native_assumptions(machine, lines, most);
    result.report.assumptions = lines;
    mz_native_incomplete(machine, &cut);
    note_executions(&result, machine, cut.length == 0);
    if (cut.length > 0 && strcmp(result.report.verdict, "unsafe") != 0) {
        result.report.verdict = "incomplete";
        result.report.share_done = 0;
        if (strstr(mz_text_string(&cut), mz_text_string(reason)))
            mz_text_clear(reason); /* it is told once more */
        mz_text_add(reason, "%s%s", reason->length > 0 ? "; " : "", mz_text_string(&cut));
        result.report.reason = mz_text_string(reason);
    }
    shared->gave_up = result.search.gave_up;
    bool worth_telling = shared->stuck_way.steps <= MOST_STEPS_TOLD;
    if (mz_native_stuck(machine) && worth_telling && strcmp(result.report.verdict, "incomplete") == 0)
        shared->stuck = mz_share_text(shared, mz_native_stuck(machine));
    mz_share_report(shared, &result.report);
}

/* ---- the last steps of a worker that is gone
 * ----------------------------------------------------------------- */

typedef struct last_steps {
    const job *job;
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
    last->effect = mz_copy_string("the last that was heard of it");
    mz_text_release(&text);
    problem->failure.thread = last->thread;
    problem->failure.position = last->position;
    problem->step_count++;
}

/* In another worker: all steps but the last again, to tell what they were. */
static void tell_steps(const void *context, mz_shared *shared)
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
/* ---- the supervisor
 * ---------------------------------------------------------------------------------------- */

/* Processor time of a process, in seconds; 0 if it is not known. */
static double processor_time(pid_t process)
{
    char path[64];
    unsigned long ticks[2] = {0, 0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &ticks[0],
               &ticks[1]) != 2)
        ticks[0] = ticks[1] = 0;
    fclose(file);
    return (double)(ticks[0] + ticks[1]) / (double)sysconf(_SC_CLK_TCK);
}

/* Seconds of processor time without a sign of life: stuck where the worker cannot help itself. And how long
 * it may take to end after its time was over. */
enum { STUCK_AFTER = 30 };

static double grace(double limit)
{
    return limit > 0 && limit < 40 ? 1 + limit / 10 : 5;
}

/* Wait for the end of the worker; end it if it is stuck. */
static int wait_for(pid_t worker, const mz_shared *shared, bool *was_stuck)
{
    int status = 0;
    uint64_t pulse = 0;
    double last_sign = 0, started = mz_seconds_now(), told_at = 0;
    int handle = (int)syscall(SYS_pidfd_open, worker, 0);
    for (;;) {
        struct pollfd look = {.fd = handle, .events = POLLIN};
        if (handle >= 0)
            poll(&look, 1, 200);
        if (mz_interrupted && told_at == 0) {
            kill(worker, SIGTERM);
            told_at = mz_seconds_now();
        }
        pid_t ended = waitpid(worker, &status, handle >= 0 ? WNOHANG : 0);
        if (ended == worker || (ended < 0 && errno != EINTR))
            break;
        double now = processor_time(worker), clock = mz_seconds_now();
        bool late = (shared->limit > 0 && clock - started > shared->limit + grace(shared->limit)) ||
                    (told_at > 0 && clock - told_at > grace(0));
        if (late && !*was_stuck) {
            *was_stuck = true;
            kill(worker, SIGKILL);
        }
        if (shared->flight.pulse != pulse) {
            pulse = shared->flight.pulse;
            last_sign = now;
        } else if (now - last_sign > STUCK_AFTER && !*was_stuck) {
            *was_stuck = true;
            kill(worker, SIGKILL);
        }
    }
    if (handle >= 0)
        close(handle);
    return status;
}

static void describe_end(int status, bool was_stuck, mz_text *out)
{
    if (was_stuck)
        mz_text_add(out, "the program did not come back in time: it is busy where the checker cannot see it");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        mz_text_add(out, "the process of the program was killed: did it run out of memory? (--max-memory)");
    else if (WIFSIGNALED(status))
        mz_text_add(out, "the process of the program was ended by signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else
        mz_text_add(out, "the program has ended its process with status %d, past exit()",
                    WEXITSTATUS(status));
}

/* Of a build that counts what is executed (tools/profile). */
extern void __gcov_dump(void) __attribute__((weak));

mz_shared *mz_start_worker(void (*work)(const void *, mz_shared *), const void *context, double limit,
                           pid_t *worker, mz_error *error)
{
    mz_shared *shared = mmap(NULL, MZ_SHARED_BYTES, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED) {
        mz_error_set(error, (mz_position){0}, "cannot reserve address space: %s", strerror(errno));
        return NULL;
    }
    shared->limit = limit;
    if (mz_native_input < 0) /* one for all workers */
        mz_native_input = memfd_create("standard input", MFD_CLOEXEC);
    fflush(stdout);
    fflush(stderr);
    pid_t supervisor = getpid();
    *worker = fork();
    if (*worker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != supervisor)
            _exit(MZ_EXIT_INTERNAL);
        mz_catch_interrupts(false);
        work(context, shared);
        if (__gcov_dump)
            __gcov_dump(); /* _exit() does not */
        _exit(0);
    }
    return shared;
}

void mz_finish_worker(mz_shared *shared, pid_t worker, mz_text *end, bool *was_stuck, mz_error *error)
{
    *was_stuck = false;
    int status = worker > 0 ? wait_for(worker, shared, was_stuck) : 0;
    if (!shared->finished && !shared->message[0])
        describe_end(status, *was_stuck, end);
    *was_stuck |= WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
    if (shared->message[0])
        mz_error_set(error, (mz_position){0}, "%s", shared->message);
}

mz_shared *mz_run_worker(void (*work)(const void *, mz_shared *), const void *context, double limit,
                         mz_text *end, bool *was_stuck, mz_error *error)
{
    pid_t worker;
    mz_shared *shared = mz_start_worker(work, context, limit, &worker, error);
    if (shared)
        mz_finish_worker(shared, worker, end, was_stuck, error);
    if (shared && shared->flight.too_many_threads && !found_bug(shared))
        mz_go_wide();
    return shared;
}

void mz_shared_release(mz_shared *shared)
{
    if (shared)
        munmap(shared, MZ_SHARED_BYTES);
}

/* What led to where the worker was last heard of; NULL if that cannot be told. */
static mz_report_error *tell_way(const job *j, const mz_shared *gone, const mz_flight *flight,
                                 const char *message)
{
    last_steps l = {j, gone, flight, message};
    mz_text ignored = {0};
    mz_error error = {0};
    bool stuck_again;
    if (!gone->threads)
        return NULL;
    double limit = j->settings->search.limits.seconds > 0 ? 1 : 0; /* so much more than that */
    mz_shared *told = mz_run_worker(tell_steps, &l, limit, &ignored, &stuck_again, &error);
    mz_text_release(&ignored);
    mz_error_release(&error);
    return told && told->finished ? &told->report.errors[0] : NULL;
}

/* Why a worker had to be ended. With so many threads it may be our own work that takes so long. */
static const char *why_ended(const job *j, const char *end, mz_shared *shared)
{
    mz_text reason = {0};
    bool in_time = shared->limit == 0 || mz_seconds_now() < deadline_of(j);
    if (!shared->flight.too_many_threads || in_time || mz_interrupted)
        return end;
    mz_text_add(&reason,
                "the time limit of %g s was reached (--timeout); the program has more than %d threads",
                j->settings->search.limits.seconds, MZ_MAX_THREADS);
    const char *shown = mz_share_text(shared, mz_text_string(&reason));
    mz_text_release(&reason);
    return shown ? shown : end;
}

/* The worker is gone. Whatever the program did to it, it happened in the step that was begun last. */
static void report_end(const job *j, const char *end, bool was_stuck, mz_shared *shared)
{
    mz_report_error none = {.kind = MZ_FAIL_CRASH, .message = end, .initial_choices = ""};
    bool worth_telling = !was_stuck || shared->flight.steps <= MOST_STEPS_TOLD;
    mz_report_error *way = worth_telling ? tell_way(j, shared, &shared->flight, end) : NULL;
    size_t count_count;
    const mz_report_count *counts = mz_no_counts(&count_count);
    mz_report report = {.version = MZ_VERSION,
                        .program = j->settings->files[0],
                        .algorithm = j->algorithm->name,
                        .equivalence_word = "traces",
                        .thread_word = "thread",
                        .verdict = was_stuck ? "incomplete" : "unsafe",
                        .reason = was_stuck ? why_ended(j, end, shared) : "",
                        .counts = counts,
                        .count_count = count_count,
                        .share_done = 0,
                        .checks = j->settings->search.checks & MZ_NATIVE_FAILURES,
                        .errors = way ? way : &none,
                        .error_count = !was_stuck};
    mz_share_report(shared, &report);
    if (was_stuck)
        shared->report.way = way;
}

/* Functions were called past the checker, and what they did in one execution is still there in the next: a
 * failure may be due to that. It is told, with its steps, but it is no verdict. */
static void doubt_failures(const mz_compiled *compiled, mz_shared *shared)
{
    mz_report *r = &shared->report;
    if (!compiled->allowed[0] || r->error_count == 0)
        return;
    const mz_report_error *e = &r->errors[0];
    mz_text reason = {0};
    mz_text_add(&reason, "%s", e->message);
    if (e->position.file)
        mz_text_add(&reason, " (%s:%u)", e->position.file, e->position.line);
    mz_text_add(&reason, "; but what the functions that --allow lets through have done in earlier "
                         "executions was not taken back, and may be the cause");
    r->reason = mz_share_text(shared, mz_text_string(&reason));
    mz_text_release(&reason);
    r->verdict = "incomplete";
    r->way = e->unknown_steps ? NULL : &r->errors[0];
    r->error_count = 0;
}

void mz_without_randomisation(char **argv)
{
    int now = personality(0xffffffff);
    if (now == -1 || (now & ADDR_NO_RANDOMIZE) || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1)
        return;
    if ((personality(0xffffffff) & ADDR_NO_RANDOMIZE))
        execv("/proc/self/exe", argv);
}

/* Building the program is a part of the time that the user gives; but a fifth of that is left for the search
 * in any case. With several algorithms each of the others has all of it. */
static double begun_for_first(const mz_settings *s, double begun)
{
    double latest = mz_seconds_now() - s->search.limits.seconds * 4 / 5;
    return s->search.limits.seconds > 0 && begun < latest ? latest : begun;
}

static int check_compiled(const mz_settings *s, const mz_compiled *compiled, double begun, mz_error *error)
{
    mz_report *reports = mz_allocate_zeroed(s->algorithm_count, sizeof *reports);
    mz_trace_files traces = {0};
    mz_sources sources = {0};
    mz_catch_interrupts(true);
    for (size_t a = 0; a < s->algorithm_count && !error->set; a++) {
        mz_settings told = *s; /* as the worker has changed them */
        job j = {&told, compiled, s->algorithms[a], a == 0 ? begun_for_first(s, begun) : mz_seconds_now()};
        double left = s->search.limits.seconds > 0 ? deadline_of(&j) - mz_seconds_now() : 0;
        mz_text end = {0};
        bool was_stuck;
        mz_shared *shared = mz_run_worker(search, &j, left, &end, &was_stuck, error);
        if (!error->set && shared->finished) {
            told.nondet_low = shared->nondet_low;
            told.nondet_high = shared->nondet_high;
        }
        if (!error->set && !shared->finished)
            report_end(&j, mz_text_string(&end), was_stuck, shared);
        else if (!error->set && shared->gave_up)
            shared->report.way = tell_way(&j, shared, &shared->flight, shared->report.reason);
        else if (!error->set && shared->stuck)
            shared->report.way = tell_way(&j, shared, &shared->stuck_way, shared->stuck);
        mz_text_release(&end);
        if (error->set)
            break;
        doubt_failures(compiled, shared);
        reports[a] = shared->report;
        if (a == 0 && shared->threads)
            mz_trace_write_all(&traces, &told, NULL, &(mz_trace_native){shared->threads, shared->places},
                               &reports[a]);
        mz_sources_show(&sources, &reports[a]);
    }
    int code = error->set ? MZ_EXIT_USAGE : mz_print_reports(s, reports, s->algorithm_count);
    mz_sources_release(&sources);
    mz_trace_files_release(&traces);
    mz_release(reports);
    return code;
}

int mz_check_native(const mz_settings *s, mz_error *error)
{
    mz_compiled compiled = {0};
    mz_settings building = *s;
    int code = MZ_EXIT_USAGE;
    double begun = mz_wide_begun();
    building.build_until = s->search.limits.seconds > 0 ? begun + s->search.limits.seconds : 0;
    if (mz_native_build(&building, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        code = check_compiled(s, &compiled, begun, error);
    } else if (error->out_of_time) {
        code = mz_report_late_build(s, mz_seconds_now() - begun, error);
    }
    if (error->set)
        mz_print_error("check", error); /* its position may point into what is released now */
    mz_compiled_release(&compiled);
    return code;
}
