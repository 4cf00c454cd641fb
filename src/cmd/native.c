/* A program under test may do anything to the process it runs in. So the check happens in a worker, forked
 * for each algorithm, and the supervisor prints what comes back: a report in shared memory, at the same
 * address in both, or, if the worker is gone without one, what is known about how it went. */
#include "cmd/native.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "cmd/result.h"
#include "cmd/sources.h"
#include "cmd/trace_file.h"

#define SHARED_BYTES ((size_t)1 << 30) /* of address space: memory is taken as it is used */

/* ---- a report that both processes can read
 * ----------------------------------------------------------------- */

static void *share(mz_shared *s, const void *bytes, size_t size)
{
    size_t at = (s->used + 15) & ~(size_t)15;
    if (sizeof *s + at + size > SHARED_BYTES)
        return NULL;
    s->used = at + size;
    if (size > 0)
        memcpy(s->bytes + at, bytes, size);
    return s->bytes + at;
}

const char *mz_share_text(mz_shared *s, const char *text)
{
    const char *copy = text ? share(s, text, strlen(text) + 1) : NULL;
    return copy ? copy : text ? "" : NULL;
}

static void share_error(mz_shared *s, mz_report_error *e)
{
    e->message = mz_share_text(s, e->message);
    e->position.file = mz_share_text(s, e->position.file);
    e->initial_choices = mz_share_text(s, e->initial_choices);
    e->steps = share(s, e->steps, e->step_count * sizeof *e->steps);
    if (!e->steps)
        e->step_count = 0;
    for (size_t i = 0; i < e->step_count; i++) {
        e->steps[i].text = mz_share_text(s, e->steps[i].text);
        e->steps[i].effect = mz_share_text(s, e->steps[i].effect);
        e->steps[i].choices = mz_share_text(s, e->steps[i].choices);
        e->steps[i].position.file = mz_share_text(s, e->steps[i].position.file);
    }
}

void mz_share_report(mz_shared *s, const mz_report *report)
{
    mz_report *r = &s->report;
    *r = *report;
    r->reason = mz_share_text(s, r->reason);
    r->counts = share(s, r->counts, r->count_count * sizeof *r->counts);
    r->errors = share(s, r->errors, r->error_count * sizeof *r->errors);
    for (size_t i = 0; i < r->error_count; i++)
        share_error(s, &r->errors[i]);
    const char **lines = share(s, r->assumptions, r->assumption_count * sizeof *lines);
    for (size_t i = 0; i < r->assumption_count; i++)
        lines[i] = mz_share_text(s, lines[i]);
    r->assumptions = lines;
    r->output = mz_share_text(s, r->output);
    s->finished = true;
}

/* ---- the worker
 * -------------------------------------------------------------------------------------------- */

mz_machine *mz_native_load(const mz_settings *s, const mz_compiled *compiled, mz_shared *shared)
{
    char **arguments = mz_allocate_zeroed(s->arguments.count + 2, sizeof *arguments);
    arguments[0] = mz_copy_string(s->files[0]);
    for (size_t i = 0; i < s->arguments.count; i++)
        arguments[i + 1] = mz_copy_string(s->arguments.words[i]);
    mz_native_options options = {.library = compiled->library,
                                 .argument_count = (int)s->arguments.count + 1,
                                 .arguments = arguments,
                                 .checks = s->search.checks,
                                 .join_at_exit = s->join_at_exit,
                                 .unroll = (uint32_t)s->unroll,
                                 .patience = s->patience,
                                 .nondet_low = s->nondet_low,
                                 .nondet_high = s->nondet_high,
                                 .inline_assembly = compiled->inline_assembly};
    mz_error error = {0};
    mz_machine *machine = mz_native_create(&options, &error);
    if (!machine) {
        mz_text text = {0};
        mz_error_print(&error, &text);
        snprintf(shared->message, sizeof shared->message, "%s", mz_text_string(&text));
    }
    return machine;
}

typedef struct job {
    const mz_settings *settings;
    const mz_compiled *compiled;
    const mz_algorithm *algorithm;
} job;

/* What a counterexample file has to say about the program. */
static void share_ground(const mz_machine *machine, mz_shared *shared)
{
    mz_text threads = {0}, places = {0};
    mz_native_thread_paths(machine, &threads);
    mz_native_knowledge(machine, &places);
    shared->threads = mz_share_text(shared, mz_text_string(&threads));
    shared->places = mz_share_text(shared, mz_text_string(&places));
}

static void search(const void *context, mz_shared *shared)
{
    const job *j = context;
    mz_result result = {0};
    mz_machine *machine = mz_native_load(j->settings, j->compiled, shared);
    if (!machine)
        return;
    double started = mz_seconds_now();
    mz_settings settings = *j->settings;
    for (;;) {
        mz_native_prepare(machine);
        mz_result_run(&result, machine, &settings, settings.files[0], j->algorithm);
        if (!result.search.begin_again)
            break;
        mz_result_release(&result); /* the machine has learned something */
        result = (mz_result){0};
        double spent = mz_seconds_now() - started;
        double limit = j->settings->search.limits.seconds;
        if (limit > 0)
            settings.search.limits.seconds = limit > spent ? limit - spent : 1e-3;
    }
    const char *lines[8], *incomplete = mz_native_incomplete(machine);
    result.report.assumption_count = mz_native_assumptions(machine, lines, 8);
    result.report.assumptions = lines;
    if (incomplete && strcmp(result.report.verdict, "safe") == 0) {
        result.report.verdict = "incomplete";
        result.report.reason = incomplete;
    }
    share_ground(machine, shared);
    mz_share_report(shared, &result.report);
}

/* ---- the supervisor
 * ---------------------------------------------------------------------------------------- */

static void describe_end(int status, mz_text *out)
{
    if (WIFSIGNALED(status))
        mz_text_add(out, "the process of the program was ended by signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else
        mz_text_add(out, "the program has ended its process with status %d, past exit()",
                    WEXITSTATUS(status));
}

static void supervise(void (*work)(const void *, mz_shared *), const void *context, mz_shared *shared,
                      mz_text *end)
{
    fflush(stdout);
    fflush(stderr);
    pid_t supervisor = getpid(), worker = fork();
    if (worker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != supervisor)
            _exit(MZ_EXIT_INTERNAL);
        mz_catch_interrupts();
        work(context, shared);
        _exit(0);
    }
    int status = 0;
    while (worker > 0 && waitpid(worker, &status, 0) < 0 && errno == EINTR)
        if (mz_interrupted)
            kill(worker, SIGTERM);
    if (!shared->finished && !shared->message[0])
        describe_end(status, end);
}

mz_shared *mz_run_worker(void (*work)(const void *, mz_shared *), const void *context, mz_text *end,
                         mz_error *error)
{
    mz_shared *shared =
        mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED) {
        mz_error_set(error, (mz_position){0}, "cannot reserve address space: %s", strerror(errno));
        return NULL;
    }
    supervise(work, context, shared, end);
    if (shared->message[0])
        mz_error_set(error, (mz_position){0}, "%s", shared->message);
    return shared;
}

/* The worker is gone: that much is an error of the program, too. */
static void report_end(const job *j, const char *end, mz_shared *shared)
{
    mz_report_error e = {.kind = MZ_FAIL_CRASH, .message = end, .initial_choices = "", .unknown_steps = true};
    mz_report report = {.version = MZ_VERSION,
                        .program = j->settings->files[0],
                        .algorithm = j->algorithm->name,
                        .equivalence_word = "traces",
                        .thread_word = "thread",
                        .verdict = "unsafe",
                        .reason = "",
                        .share_done = 0,
                        .checks = j->settings->search.checks & MZ_NATIVE_FAILURES,
                        .errors = &e,
                        .error_count = 1};
    mz_share_report(shared, &report);
}

void mz_without_randomisation(char **argv)
{
    int now = personality(0xffffffff);
    if (now == -1 || (now & ADDR_NO_RANDOMIZE) || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1)
        return;
    if ((personality(0xffffffff) & ADDR_NO_RANDOMIZE))
        execv("/proc/self/exe", argv);
}

static int check_compiled(const mz_settings *s, const mz_compiled *compiled, mz_error *error)
{
    mz_report *reports = mz_allocate_zeroed(s->algorithm_count, sizeof *reports);
    mz_trace_files traces = {0};
    mz_sources sources = {0};
    mz_catch_interrupts();
    for (size_t a = 0; a < s->algorithm_count && !error->set; a++) {
        job j = {s, compiled, s->algorithms[a]};
        mz_text end = {0};
        mz_shared *shared = mz_run_worker(search, &j, &end, error);
        if (!error->set && !shared->finished)
            report_end(&j, mz_text_string(&end), shared);
        mz_text_release(&end);
        if (error->set)
            break;
        reports[a] = shared->report;
        if (a == 0 && shared->threads)
            mz_trace_write_all(&traces, s, NULL, &(mz_trace_native){shared->threads, shared->places},
                               &reports[a]);
        mz_sources_show(&sources, &reports[a]);
    }
    int code = error->set ? MZ_EXIT_USAGE : mz_print_reports(s, reports, s->algorithm_count);
    mz_sources_release(&sources);
    mz_trace_files_release(&traces);
    mz_release(reports);
    return code;
}

bool mz_native_build(const mz_settings *s, mz_compiled *compiled, mz_error *error)
{
    char *include = mz_include_directory();
    mz_compile_options options = {.compiler = s->compiler,
                                  .flags = s->compile_flags.words,
                                  .flag_count = s->compile_flags.count,
                                  .link_flags = s->link_flags.words,
                                  .link_flag_count = s->link_flags.count,
                                  .include_directory = include};
    bool built = mz_compile_program(&options, s->files, s->file_count, compiled, error);
    mz_release(include);
    return built;
}

int mz_check_native(const mz_settings *s, mz_error *error)
{
    mz_compiled compiled = {0};
    int code = MZ_EXIT_USAGE;
    if (mz_native_build(s, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        code = check_compiled(s, &compiled, error);
    }
    if (error->set) { /* its position may point into what is released now */
        mz_text text = {0};
        mz_error_print(error, &text);
        fputs(mz_text_string(&text), stderr);
        mz_text_release(&text);
        mz_error_release(error);
        *error = (mz_error){0};
    }
    mz_compiled_release(&compiled);
    return code;
}
