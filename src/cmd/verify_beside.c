#define _GNU_SOURCE /* memfd_create, pipe2 */

#include "cmd/verify_beside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "cmd/result.h"
#include "cmd/verify.h"

struct mz_beside {
    mz_verify_job job;
    mz_verification *verification;
    mz_shared *shared;
    pid_t worker; /* 0: it is gone */
    int changed[2];
    int image;   /* memory that the program sees, once the plan is taken … */
    void *bytes; /* … and we do: NULL before */
    size_t size;
    mz_symbolic_plan plan;
};

mz_beside *mz_beside_begin(const mz_settings *settings, const mz_compiled *compiled, mz_error *error)
{
    mz_beside *b = mz_allocate_zeroed(1, sizeof *b);
    *b = (mz_beside){.image = -1, .changed = {-1, -1}};
    if (pipe2(b->changed, O_CLOEXEC | O_NONBLOCK) != 0 || !(b->verification = mz_verification_create())) {
        mz_error_set(error, (mz_position){0}, "there is no memory that processes could share: %s",
                     strerror(errno));
        mz_beside_end(b);
        return NULL;
    }
    b->job = (mz_verify_job){.settings = settings,
                             .compiled = compiled,
                             .verification = b->verification,
                             .changed = b->changed[1]};
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
        if (gone || mz_interrupted)
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

static bool write_image(mz_beside *b, uint32_t flags, mz_place_finder find, const void *context)
{
    b->image = memfd_create("mazurka-plan", MFD_CLOEXEC);
    b->size = mz_symbolic_image_bytes(&b->plan);
    if (b->image < 0 || ftruncate(b->image, (off_t)b->size) != 0)
        return false;
    void *bytes = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_SHARED, b->image, 0);
    if (bytes == MAP_FAILED)
        return false;
    mz_symbolic_image_fill(&b->plan, flags, find, context, bytes);
    b->bytes = bytes;
    return true;
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

int mz_beside_take(mz_beside *b, uint32_t flags, mz_place_finder find, const void *context)
{
    uint32_t expected = MZ_HAS_PLAN;
    while (!atomic_compare_exchange_weak(&b->verification->state, &expected, MZ_PLAN_IS_TAKEN)) {
        if (expected == MZ_PLAN_IS_TAKEN || !mz_beside_wait_for_plan(b)) /* withdrawn meanwhile */
            return -1;
        expected = MZ_HAS_PLAN;
    }
    if (!mz_verification_plan(b->verification, &b->plan) || !write_image(b, flags, find, context))
        return -1;
    return b->image;
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
    bool gone = is_gone(b);
    *status = (mz_beside_status){.traces = atomic_load(&v->traces),
                                 .share = (double)atomic_load(&v->share) / 1e6,
                                 .finished = gone,
                                 .has_bug = gone && b->shared->finished && b->shared->report.error_count > 0};
    pass_on_prefixes(b);
    if (b->bytes) {
        status->prefix = mz_symbolic_prefix(&b->plan, &status->length);
        status->constraints = (uint32_t)mz_symbolic_constraints(&b->plan);
        status->constraints_at_first = (uint32_t)mz_symbolic_constraints_at_first(&b->plan);
    }
    if (gone)
        describe_end(b, status);
}

mz_report *mz_beside_report(mz_beside *b, const char **threads, const char **places)
{
    if (!is_gone(b) || !b->shared->finished)
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
    mz_verification_release(b->verification);
    mz_shared_release(b->shared);
    if (b->bytes)
        munmap(b->bytes, b->size);
    for (int i = 0; i < 2; i++)
        if (b->changed[i] >= 0)
            close(b->changed[i]);
    if (b->image >= 0)
        close(b->image);
    mz_release(b);
}
