#define _GNU_SOURCE /* memfd_create, pipe2 */

#include "safe/verify/verify_beside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "report/verdict.h"
#include "safe/verify/verify.h"

struct mz_beside {
    mz_verify_job job;
    mz_verification *verification;
    mz_shared *shared;
    pid_t worker; /* 0: it is gone */
    int changed[2];
    int image;   /* memory that the program sees, once the plan is taken */
    void *bytes; /* the same memory as we see it; NULL before */
    size_t size;
    mz_symbolic_plan plan;
    /* How images are made. */
    uint32_t flags;
    const uint64_t *quarantine; /* NULL: as the plan says */
    mz_place_finder find;
    const void *find_context;
    /* A constraint set that was found since: for whoever starts the program from now on. */
    int set_image; /* -1: there is none */
    mz_symbolic_plan set;
};

mz_beside *mz_beside_begin(const mz_plan_settings *settings, const mz_compiled *compiled, mz_error *error)
{
    mz_beside *b = mz_allocate_zeroed(1, sizeof *b);
    *b = (mz_beside){.image = -1, .set_image = -1, .changed = {-1, -1}};
    if (pipe2(b->changed, O_CLOEXEC | O_NONBLOCK) != 0 || !(b->verification = mz_verification_create())) {
        mz_error_set(error, (mz_position){0}, "there is no memory that processes could share: %s",
                     strerror(errno));
        mz_beside_end(b);
        return NULL;
    }
    b->job = (mz_verify_job){.settings = settings,
                             .compiled = compiled,
                             .verification = b->verification,
                             .changed = b->changed[1],
                             .beside = true};
    b->shared = mz_start_worker(mz_verify, &b->job, 0, &b->worker, error);
    if (!error->set && b->worker < 0) {
        b->worker = 0;
        mz_error_set(error, (mz_position){0}, "there is no process to verify the program in: %s",
                     strerror(errno));
    }
    if (error->set) {
        mz_beside_end(b);
        return NULL;
    }
    return b;
}

int mz_beside_handle(const mz_beside *b)
{
    return b->changed[0];
}

mz_verification *mz_beside_verification(mz_beside *b)
{
    return b->verification;
}

/* Has the worker gone? Its last news are in memory all the same. */
static bool is_gone(mz_beside *b)
{
    int status;
    pid_t ended = b->worker ? waitpid(b->worker, &status, WNOHANG) : 0;
    if (ended == b->worker || (ended < 0 && errno != EINTR))
        b->worker = 0;
    return b->worker == 0;
}

static void read_news(mz_beside *b, int milliseconds)
{
    struct pollfd look = {.fd = b->changed[0], .events = POLLIN};
    char bytes[256];
    if (poll(&look, 1, milliseconds) > 0)
        while (read(b->changed[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes)
            continue;
}

bool mz_beside_wait_for_plan(mz_beside *b)
{
    enum { MILLISECONDS = 50 };
    for (;;) {
        bool gone = is_gone(b); /* first: it may have left a plan just before */
        if (atomic_load(&b->verification->state) != MZ_NO_PLAN)
            return true;
        if (gone || mz_ending_signal() != 0)
            return false;
        read_news(b, MILLISECONDS);
    }
}

int mz_beside_exit_code(const mz_beside *b)
{
    const mz_report *report = b->shared->finished ? &b->shared->report : NULL;
    if (b->shared->message[0])
        return MZ_EXIT_USAGE;
    bool all_fail = report && report->error_count > 0 && !report->reason[0] && !b->verification->obstacle[0];
    return all_fail ? MZ_EXIT_BUG : MZ_EXIT_INCOMPLETE;
}

bool mz_beside_plan(mz_beside *b, mz_symbolic_plan *symbolic)
{
    return mz_verification_plan(b->verification, symbolic);
}

bool mz_beside_counts_accesses(mz_beside *b)
{
    mz_symbolic_plan symbolic;
    bool counts = mz_beside_plan(b, &symbolic) && symbolic.plans[0].counts_accesses;
    mz_symbolic_release(&symbolic);
    return counts;
}

/* In memory that the program will see: its file descriptor, or -1. *bytes: where we see it. */
static int write_image(const mz_beside *b, mz_symbolic_plan *plan, void **bytes, size_t *size)
{
    plan->quarantine = b->quarantine ? *b->quarantine : plan->quarantine;
    int image = memfd_create("mazurka-plan", MFD_CLOEXEC);
    size_t room = mz_symbolic_set_room(plan);
    *size = mz_symbolic_image_bytes(plan) + room;
    *bytes = MAP_FAILED;
    if (image >= 0 && ftruncate(image, (off_t)*size) == 0)
        *bytes = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, image, 0);
    if (*bytes == MAP_FAILED) {
        *bytes = NULL;
        if (image >= 0)
            close(image);
        return -1;
    }
    mz_symbolic_image_fill(plan, b->flags, b->find, b->find_context, *bytes);
    if (room > 0)
        mz_symbolic_image_reserve(*bytes, room);
    return image;
}

/* For programs that begin from now on; and for the one that runs, if it can change over. */
static void pick_up_set(mz_beside *b)
{
    void *bytes;
    size_t size;
    if (!b->bytes || b->set_image >= 0 || !mz_verification_set(b->verification, &b->set))
        return;
    b->set_image = write_image(b, &b->set, &bytes, &size);
    if (b->set_image < 0) {
        mz_symbolic_release(&b->set);
        return;
    }
    munmap(bytes, size);
    mz_symbolic_image_add_set(&b->set, b->flags, b->find, b->find_context, b->bytes);
}

/* The running program sees it at once. A prefix that it finds too long is no mistake. */
static void pass_on_prefixes(mz_beside *b)
{
    for (size_t i = 0; b->bytes && i < b->plan.plan_count; i++) {
        uint32_t prefix = atomic_load(&b->verification->prefixes[i]);
        b->plan.plans[i].prefix = prefix;
        __atomic_store_n(&mz_symbolic_image_plan(b->bytes, i)->prefix, prefix, __ATOMIC_RELEASE);
    }
}

void mz_beside_keep_freed(mz_beside *b, const uint64_t *bytes)
{
    b->quarantine = bytes;
}

int mz_beside_take(mz_beside *b, uint32_t flags, mz_place_finder find, const void *context)
{
    uint32_t expected = MZ_HAS_PLAN;
    while (!atomic_compare_exchange_weak(&b->verification->state, &expected, MZ_PLAN_IS_TAKEN)) {
        if (expected == MZ_PLAN_IS_TAKEN || !mz_beside_wait_for_plan(b)) /* withdrawn meanwhile */
            return -1;
        expected = MZ_HAS_PLAN;
    }
    b->flags = flags;
    b->find = find;
    b->find_context = context;
    if (mz_verification_plan(b->verification, &b->plan))
        b->image = write_image(b, &b->plan, &b->bytes, &b->size);
    return b->image;
}

int mz_beside_image(const mz_beside *b)
{
    return b->set_image >= 0 ? b->set_image : b->image;
}

const mz_symbolic_plan *mz_beside_plan_now(const mz_beside *b)
{
    return &b->plan;
}

const mz_symbolic_plan *mz_beside_set_now(const mz_beside *b)
{
    return b->set_image >= 0 ? &b->set : NULL;
}

/* What was verified since the plan was taken may depend on more. */
static void add_latest_premises(const mz_beside *b, mz_symbolic_plan *plan)
{
    const char *lines = atomic_load(&b->verification->premises);
    mz_symbolic_plan latest;
    mz_text text = {0};
    mz_error error = {0};
    if (!lines)
        return;
    mz_text_add(&text, "%s %d\nimage -\ncounts operations\nfences no\n%sprefix 0 of 0\nend\n", MZ_PLAN_MAGIC,
                MZ_PLAN_VERSION, lines);
    if (mz_symbolic_parse(&latest, "premises", mz_text_string(&text), text.length, &error))
        mz_symbolic_take_premises(plan, &latest);
    mz_symbolic_release(&latest);
    mz_error_release(&error);
    mz_text_release(&text);
}

static bool save(const mz_beside_status *status, mz_symbolic_plan *plan, const char *path, mz_error *error)
{
    plan->plans[0].bug = status->has_bug ? status->message : NULL;
    bool saved = mz_symbolic_save(plan, path, error);
    plan->plans[0].bug = NULL; /* it is the caller's */
    return saved;
}

/* The plan as it is now. Not the one of the image, whose plans keep their numbers. */
static bool save_prefixes(mz_beside *b, const mz_beside_status *status, const char *path, mz_error *error)
{
    mz_symbolic_plan plan;
    if (mz_verification_plan(b->verification, &plan)) {
        mz_symbolic_settle(&plan);
        add_latest_premises(b, &plan);
        plan.plans[0].traces = status->traces;
        plan.plans[0].share = status->share;
        save(status, &plan, path, error);
    } else {
        mz_error_set(error, (mz_position){.file = path}, "there is no plan to be written");
    }
    mz_symbolic_release(&plan);
    return !error->set;
}

bool mz_beside_save(mz_beside *b, const char *path, mz_error *error)
{
    mz_beside_status status;
    mz_beside_look(b, &status);
    return b->set_image >= 0 ? save(&status, &b->set, path, error) : save_prefixes(b, &status, path, error);
}

static void describe_end(const mz_beside *b, mz_beside_status *status)
{
    const mz_report *report = b->shared->finished ? &b->shared->report : NULL;
    const char *message = "";
    if (b->shared->message[0])
        message = b->shared->message;
    else if (status->has_bug)
        message = report->errors[0].message;
    else if (report && report->reason[0])
        message = report->reason;
    else if (!report)
        message = "the process that verified the program is gone";
    else if (!b->bytes && b->verification->obstacle[0])
        message = b->verification->obstacle;
    if (!b->bytes && b->verification->valuation[0])
        snprintf(status->message, sizeof status->message, "with %s: %.200s", b->verification->valuation,
                 message);
    else
        snprintf(status->message, sizeof status->message, "%s", message);
}

void mz_beside_look(mz_beside *b, mz_beside_status *status)
{
    mz_verification *v = b->verification;
    read_news(b, 0);
    bool gone = is_gone(b), reported = gone ? b->shared->finished : atomic_load(&v->reported);
    *status = (mz_beside_status){.traces = atomic_load(&v->traces),
                                 .share = (double)atomic_load(&v->share) / 1e6,
                                 .finished = gone,
                                 .has_bug = reported && b->shared->report.error_count > 0};
    pass_on_prefixes(b);
    pick_up_set(b);
    if (b->bytes) {
        status->prefix = mz_symbolic_prefix(&b->plan, &status->length);
        status->constraints = (uint32_t)mz_symbolic_constraints(&b->plan);
        status->constraints_at_first = (uint32_t)mz_symbolic_constraints_at_first(&b->plan);
    }
    if (b->set_image >= 0) {
        status->has_set = true;
        status->constraints = v->minimised.after;
        status->constraints_at_first = v->minimised.before;
    }
    if (gone || reported)
        describe_end(b, status);
}

mz_report *mz_beside_report(mz_beside *b, const char **threads, const char **places)
{
    if (is_gone(b) ? !b->shared->finished : !atomic_load(&b->verification->reported))
        return NULL;
    *threads = b->shared->threads;
    *places = b->shared->places;
    return &b->shared->report;
}

void mz_beside_end(mz_beside *b)
{
    if (!b)
        return;
    if (b->worker > 0) {
        kill(b->worker, SIGKILL);
        while (waitpid(b->worker, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    mz_symbolic_release(&b->plan);
    if (b->set_image >= 0)
        mz_symbolic_release(&b->set);
    mz_verification_release(b->verification);
    mz_shared_release(b->shared);
    if (b->bytes)
        munmap(b->bytes, b->size);
    for (int i = 0; i < 2; i++)
        if (b->changed[i] >= 0)
            close(b->changed[i]);
    if (b->image >= 0)
        close(b->image);
    if (b->set_image >= 0)
        close(b->set_image);
    mz_release(b);
}
