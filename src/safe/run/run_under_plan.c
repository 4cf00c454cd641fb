/* Safe execution. The program is started when one complete execution of it is verified, under a
 * plan that lets nothing else happen (wire/plan_format.h); a verifier beside it goes on, and makes the plan's
 * prefix shorter while the program runs. Or the plan comes from a file, and there is no verifier. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "report/verdict.h"
#include "safe/plan/symbolic.h"
#include "safe/run/run.h"
#include "safe/run/run_request.h"
#include "safe/run/run_tally.h"
#include "safe/run/trials.h"
#include "safe/verify/verify.h"
#include "safe/verify/verify_beside.h"
#include "search/limits.h"
#include "session/process/supervisor.h"
#include "session/settings/trace_file.h"

typedef struct run {
    const mz_run_request *q;
    mz_plan_settings *asked;   /* of the verifier: as it was asked for */
    mz_symbolic_plan plan;     /* from a file */
    mz_plan_settings settings; /* for the verifier */
    mz_runnable code;
    mz_trials trials;
    mz_beside *beside; /* NULL: the plan comes from a file */
    mz_record_header *record;
    mz_run_program program;
    char inputs[48]; /* how they are drawn */
    int signals;
    mz_beside_status last; /* what was said last */
    bool line_shown;
    bool interrupted; /* a signal came for the program */
} run;

/* Of many runs, one that takes longer hangs. */
enum { SECONDS_EACH = 10 };

/* ---- the plan -------------------------------------------------------------------------------------------
 */

/* What the plan depends on and nobody will compare: who runs the program has to know it. */
static void tell_uncompared(const run *r, const mz_symbolic_plan *plan)
{
    mz_text text = {0};
    mz_symbolic_describe_uncompared(plan, "mazurka run: ", &text);
    if (mz_symbolic_lacks_premises(plan))
        mz_text_add(&text,
                    "mazurka run: %s was made by an older version, and says of what it depends on only the "
                    "arguments: make it anew\n",
                    r->q->plan ? r->q->plan : "the plan");
    fputs(mz_text_string(&text), stderr);
    mz_text_release(&text);
}

static void use_plan_file(run *r, mz_error *error)
{
    mz_run_refuse_other_program(&r->plan, r->q->plan, &r->code.compiled, r->asked->check.files[0], error);
    r->plan.waived |= r->asked->waived;
    if (r->q->has_quarantine)
        r->plan.quarantine = r->q->quarantine;
    if (!error->set)
        tell_uncompared(r, &r->plan);
    if (!error->set && (!r->plan.plans[0].counts_accesses ||
                        mz_runnable_count_accesses(&r->code, &r->asked->check, error))) {
        const char *name = mz_plan_line_of(&r->plan.plans[0], "file");
        r->program.path = r->code.path;
        r->program.plan_name = r->q->plan;
        r->program.name = name ? name : r->program.name; /* it is called what it was called in the check */
        r->program.plan =
            mz_run_make_image(&r->plan, mz_divergence_flags(r->q->on_divergence), r->code.symbols, error);
    }
}

/* Why there is no plan; false if nothing is known. */
static bool tell_no_plan(run *r, int *code)
{
    mz_beside_look(r->beside, &r->last);
    if (*r->last.message)
        fprintf(stderr, "mazurka run: the program is not started: %s\n", r->last.message);
    *code = mz_beside_exit_code(r->beside);
    return *r->last.message;
}

/* False: there is no plan, and *code says what the verification came to. */
static bool begin_verifying(run *r, int *code, mz_error *error)
{
    r->settings = *r->asked;
    if (!mz_trials_begin(&r->trials, "run", &r->settings, &r->code, error))
        return false;
    r->beside = mz_beside_begin(&r->settings, &r->code.compiled, error);
    if (!r->beside)
        return false;
    if (!mz_beside_wait_for_plan(r->beside) && mz_ending_signal() == 0) {
        tell_no_plan(r, code);
        return false;
    }
    if (mz_ending_signal() == 0 && !mz_trials_wait(&r->trials, mz_beside_verification(r->beside), error))
        return false;
    if (mz_ending_signal() != 0) {
        fputs("mazurka run: a signal has ended it before the program was started\n", stderr);
        *code = 128 + mz_ending_signal();
        return false;
    }
    if (mz_beside_counts_accesses(r->beside) &&
        !mz_runnable_count_accesses(&r->code, &r->asked->check, error))
        return false;
    r->program.path = r->code.path;
    if (r->q->has_quarantine)
        mz_beside_keep_freed(r->beside, &r->q->quarantine);
    r->program.plan = mz_beside_take(r->beside, mz_divergence_flags(r->q->on_divergence), mz_run_find_place,
                                     r->code.symbols);
    if (r->program.plan < 0 && !tell_no_plan(r, code)) {
        mz_error_set(error, (mz_position){0}, "the plan cannot be used, or there is no memory for it");
        mz_error_set_hint(error, "'mazurka plan' says what stands in its way");
    }
    if (r->program.plan >= 0)
        tell_uncompared(r, mz_beside_plan_now(r->beside));
    return r->program.plan >= 0;
}

/* ---- while it runs --------------------------------------------------------------------------------------
 */

static void erase_line(run *r)
{
    if (r->line_shown)
        fputs("\r\033[K", stderr);
    r->line_shown = false;
}

static void show_status(run *r)
{
    mz_beside_status now;
    bool terminal = isatty(STDERR_FILENO);
    if (!r->beside || !(terminal || r->q->status))
        return;
    mz_beside_look(r->beside, &now);
    if (now.prefix == r->last.prefix && now.finished == r->last.finished && now.has_bug == r->last.has_bug &&
        now.has_set == r->last.has_set && r->last.length > 0 && !terminal)
        return;
    erase_line(r);
    if (now.has_set)
        fprintf(stderr, "mazurka run: %u of %u constraints left, all else is free", now.constraints,
                now.constraints_at_first);
    else if (now.prefix > 0)
        fprintf(
            stderr,
            "mazurka run: %u of %u operations in order (%u of %u waits left), then free; %.3g %% verified",
            now.prefix, now.length, now.constraints, now.constraints_at_first, now.share * 100);
    else
        fprintf(stderr, "mazurka run: no thread has to wait any more; %.3g %% verified", now.share * 100);
    fprintf(stderr, "%s%s", now.has_bug ? ", a bug was found" : "", terminal && !now.finished ? "" : "\n");
    r->line_shown = terminal && !now.finished;
    fflush(stderr);
    r->last = now;
}

/* Until the program ends. */
static int watch(run *r, pid_t process)
{
    enum { MILLISECONDS = 200 };
    int status = 0;
    bool finished = !r->beside;
    double begun = mz_seconds_now();
    while (!mz_run_has_ended(r->signals, process, &r->interrupted, &status)) {
        struct pollfd wait[2] = {{.fd = r->signals, .events = POLLIN}};
        if (!finished)
            wait[1] = (struct pollfd){.fd = mz_beside_handle(r->beside), .events = POLLIN};
        poll(wait, finished ? 1 : 2, finished && !r->q->repeat ? -1 : MILLISECONDS);
        if (r->q->repeat && mz_seconds_now() - begun > SECONDS_EACH)
            kill(process, SIGKILL);
        if (!finished) {
            show_status(r);
            mz_beside_status now;
            mz_beside_look(r->beside, &now);
            finished = now.finished;
        }
    }
    erase_line(r);
    return status;
}

/* The counterexample of the first bug becomes a file, as that of 'mazurka plan' does. */
static void write_counterexample(run *r)
{
    const char *threads, *places;
    mz_trace_files files = {0};
    mz_report *report = mz_beside_report(r->beside, &threads, &places);
    if (!report || report->error_count == 0 || !threads)
        return;
    mz_trace_write_all(&files, &r->asked->check, NULL, &(mz_trace_native){threads, places, NULL}, report);
    const char *name = report->errors[0].trace;
    if (name)
        fprintf(stderr, "  counterexample: %s (mazurka replay %s)\n", name, name);
    mz_trace_files_release(&files);
}

static void tell_bug(run *r)
{
    mz_beside_status now = {0};
    if (r->beside)
        mz_beside_look(r->beside, &now);
    if (!now.has_bug)
        return;
    fprintf(stderr, "mazurka run: the program has a bug, which was kept from happening: %s\n", now.message);
    write_counterexample(r);
}

/* What is known by now. Is it a constraint set? */
static bool use_latest_plan(run *r)
{
    mz_beside_status now = {0};
    if (!r->beside)
        return false;
    mz_beside_look(r->beside, &now);
    r->program.plan = mz_beside_image(r->beside);
    return now.has_set;
}

/* ---- again and again ------------------------------------------------------------------------------------
 */

/* How long the prefixes are when a run begins. */
static uint32_t *prefixes_now(const run *r)
{
    const mz_symbolic_plan *plan = r->beside ? mz_beside_plan_now(r->beside) : &r->plan;
    uint32_t *prefixes = mz_allocate_zeroed(plan->plan_count + 1, sizeof *prefixes);
    for (size_t i = 0; i < plan->plan_count; i++)
        prefixes[i] = plan->plans[i].prefix;
    return prefixes;
}

/* Did it keep to what it was to keep to? With a verifier beside it that is the prefix that was left in the
 * end, which was longer when it began; or the set, if it has begun under that, or changed over: then all of
 * it keeps to the set (safe/runtime/follow/runtime_change.c). */
static bool adheres(const run *r, bool under_set, const uint32_t *at_first, mz_text *difference)
{
    const mz_symbolic_plan *set = r->beside ? mz_beside_set_now(r->beside) : NULL;
    const mz_symbolic_plan *plan = r->beside ? mz_beside_plan_now(r->beside) : &r->plan;
    if (!under_set && mz_run_record_adheres(r->record, plan, at_first, difference))
        return true;
    if (!set)
        return false;
    mz_text_clear(difference);
    return mz_run_record_adheres(r->record, set, NULL, difference);
}

static void look_at_order(const run *r, bool under_set, const uint32_t *at_first, mz_run_tally *t)
{
    mz_text difference = {0};
    if (!adheres(r, under_set, at_first, &difference) && t->different++ == 0)
        mz_text_add(&t->difference, "%s", mz_text_string(&difference));
    mz_text_release(&difference);
}

/* For the run with this number. */
static void draw_inputs(run *r, uint64_t number)
{
    snprintf(r->inputs, sizeof r->inputs, "%s %llu", r->q->inputs == MZ_INPUTS_ALL ? "all" : "random",
             (unsigned long long)(r->q->inputs == MZ_INPUTS_ALL ? number : mz_mix64(number)));
    r->program.inputs = r->q->inputs == MZ_INPUTS_AS_GIVEN ? NULL : r->inputs;
}

/* What a run has said on standard error. Much of it would be the same in many runs. */
static void show_messages(int messages)
{
    char part[4096];
    ssize_t length;
    lseek(messages, 0, SEEK_SET);
    for (int i = 0; i < 16 && (length = read(messages, part, sizeof part)) > 0; i++)
        fwrite(part, 1, (size_t)length, stderr);
}

static int run_repeatedly(run *r, mz_error *error)
{
    mz_run_tally t = {0};
    uint64_t done = 0, seed = r->q->jitter ? strtoull(r->q->jitter, NULL, 10) : 0;
    r->program.silent = true;
    for (; done < r->q->repeat && !error->set && !r->interrupted; done++) {
        char jitter[32];
        snprintf(jitter, sizeof jitter, "%llu", (unsigned long long)mz_mix64(seed + done));
        r->program.jitter = r->q->jitter ? jitter : NULL;
        draw_inputs(r, done);
        mz_run_record_clear(r->record);
        bool under_set = use_latest_plan(r);
        uint32_t *at_first = prefixes_now(r);
        t.under_set += under_set;
        r->program.messages = memfd_create("mazurka-messages", MFD_CLOEXEC);
        pid_t process = mz_run_start(&r->program, error);
        int status = process ? watch(r, process) : 0;
        int ending = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
        if (t.endings[ending]++ == 0)
            show_messages(r->program.messages);
        close(r->program.messages);
        mz_run_tally_add(&t, r->record);
        look_at_order(r, under_set, at_first, &t);
        mz_release(at_first);
    }
    mz_run_tally_print(&t, done, !r->q->plan || strcmp(r->q->plan, "none") != 0);
    bool good = t.endings[0] == done && t.different == 0;
    mz_run_tally_release(&t);
    return good ? MZ_EXIT_SAFE : MZ_EXIT_BUG;
}

/* ---- all together ---------------------------------------------------------------------------------------
 */

static int run_once(run *r, mz_error *error)
{
    r->program.jitter = r->q->jitter;
    use_latest_plan(r);
    draw_inputs(r, 0);
    pid_t process = mz_run_start(&r->program, error);
    return process ? watch(r, process) : 0;
}

/* Nothing of us is left: neither a process nor a file. */
static int become(run *r, mz_error *error)
{
    use_plan_file(r, error);
    int file = error->set ? -1 : mz_run_open(&r->program, error);
    r->program.jitter = r->q->jitter;
    draw_inputs(r, 0);
    mz_runnable_release(&r->code);
    r->code = (mz_runnable){0};
    if (!error->set)
        mz_run_become(&r->program, file, error);
    return MZ_EXIT_USAGE;
}

/* *status: how the program has ended, if that is what the exit code is to be. */
static int run_program(run *r, int *status, mz_error *error)
{
    enum { SLOTS_ONCE = 1 << 22, SLOTS_EACH = 1 << 16 };
    int code = MZ_EXIT_USAGE;
    if (r->q->becomes)
        return become(r, error);
    r->signals = mz_run_catch_signals(error);
    if (!error->set && (r->q->record || r->q->repeat))
        r->record = mz_run_record_make(r->q->repeat ? SLOTS_EACH : SLOTS_ONCE, &r->program.record, error);
    if (!error->set && r->q->record)
        r->program.world = mz_run_world_make();
    if (!error->set && r->q->plan)
        use_plan_file(r, error);
    else if (!error->set && !begin_verifying(r, &code, error))
        return code;
    if (error->set)
        return MZ_EXIT_USAGE;
    if (r->q->repeat)
        return run_repeatedly(r, error);
    *status = run_once(r, error);
    if (!error->set && r->q->record)
        mz_run_record_write(r->record, r->program.world, r->program.arguments,
                            r->beside ? mz_beside_plan_now(r->beside) : &r->plan, r->q->record, error);
    if (!error->set)
        tell_bug(r);
    return error->set ? MZ_EXIT_USAGE : MZ_EXIT_SAFE;
}

/* The plan that the verifier has come to, for other runs. */
static void save_plan(run *r, mz_error *error)
{
    if (r->beside && r->q->output && r->program.plan >= 0)
        mz_beside_save(r->beside, r->q->output, error);
}

static void release(run *r)
{
    if (r->beside)
        mz_beside_end(r->beside);
    else if (r->program.plan >= 0)
        close(r->program.plan);
    mz_run_record_release(r->record, r->program.record);
    if (r->program.world >= 0)
        close(r->program.world);
    mz_trials_end(&r->trials);
    mz_symbolic_release(&r->plan);
    mz_runnable_release(&r->code);
}

/* A plan for plain accesses needs code that counts them, whatever is checked. */
static bool load_plan(run *r, mz_error *error)
{
    const mz_run_request *q = r->q;
    if (!q->plan)
        return true;
    if (strcmp(q->plan, "none") == 0) { /* nothing but main is known */
        mz_symbolic_init(&r->plan);
        /* what is to be delayed at random has to be seen: plain accesses, too */
        mz_symbolic_add_plan(&r->plan)->counts_accesses = q->jitter;
        r->asked->check.run = q->jitter ? MZ_RUN_ACCESSES : MZ_RUN_PLAIN;
        return true;
    }
    bool good = mz_symbolic_load(&r->plan, q->plan, error);
    if (good)
        r->asked->check.run = r->plan.plans[0].counts_accesses ? MZ_RUN_ACCESSES : MZ_RUN_PLAIN;
    return good;
}

int mz_run_program_under_plan(const mz_run_request *q, mz_plan_settings *settings, mz_error *error)
{
    run r = {.q = q, .asked = settings, .trials = {.descriptor = -1}};
    int code = MZ_EXIT_USAGE, status = 0;
    r.program = (mz_run_program){.name = settings->check.files[0],
                                 .arguments = &settings->check.arguments,
                                 .given = &q->given,
                                 .plan = -1,
                                 .record = -1,
                                 .world = -1,
                                 .output = -1,
                                 .messages = -1};
    if (load_plan(&r, error) && mz_runnable_build(&r.code, &settings->check, error)) {
        r.program.path = r.code.path;
        code = run_program(&r, &status, error);
        if (!error->set)
            save_plan(&r, error);
    }
    release(&r);
    return error->set || code != MZ_EXIT_SAFE || q->repeat ? code : mz_run_end_like(status);
}
