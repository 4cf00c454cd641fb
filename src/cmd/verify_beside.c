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
    int image;           /* memory that the program will see */
    mz_plan_image *head; /* its first page: the worker writes the prefix there */
    mz_plan plan;        /* once it is taken */
    bool taken;
};

static bool create_image(mz_beside *b)
{
    b->image = memfd_create("mazurka plan", MFD_CLOEXEC);
    if (b->image < 0 || ftruncate(b->image, sizeof *b->head) != 0)
        return false;
    void *head = mmap(NULL, sizeof *b->head, PROT_READ | PROT_WRITE, MAP_SHARED, b->image, 0);
    b->head = head == MAP_FAILED ? NULL : head;
    return b->head;
}

mz_beside *mz_beside_begin(const mz_settings *settings, const mz_compiled *compiled, mz_error *error)
{
    mz_beside *b = mz_allocate_zeroed(1, sizeof *b);
    *b = (mz_beside){.image = -1, .changed = {-1, -1}};
    if (!create_image(b) || pipe2(b->changed, O_CLOEXEC | O_NONBLOCK) != 0 ||
        !(b->verification = mz_verification_create((_Atomic uint32_t *)&b->head->prefix))) {
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

bool mz_beside_plan(mz_beside *b, mz_plan *plan)
{
    return mz_verification_plan(b->verification, plan);
}

bool mz_beside_counts_accesses(mz_beside *b)
{
    mz_plan plan = {0};
    bool counts = mz_beside_plan(b, &plan) && plan.counts_accesses;
    mz_plan_release(&plan);
    return counts;
}

/* All of it but the prefix, which the worker has in hand. */
static bool write_image(mz_beside *b, uint32_t flags, const uint64_t *offsets)
{
    size_t bytes = mz_plan_image_bytes(&b->plan), head = offsetof(mz_plan_image, prefix),
           rest = head + sizeof b->head->prefix;
    if (ftruncate(b->image, (off_t)bytes) != 0)
        return false;
    char *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->image, 0);
    if (to == MAP_FAILED)
        return false;
    char *filled = mz_allocate_zeroed(1, bytes);
    mz_plan_image_fill(&b->plan, flags, filled);
    mz_plan_image_set_places(filled, offsets);
    memcpy(to, filled, head);
    memcpy(to + rest, filled + rest, bytes - rest);
    mz_release(filled);
    munmap(to, bytes);
    return true;
}

int mz_beside_take(mz_beside *b, uint32_t flags, mz_place_finder find, const void *context)
{
    uint32_t expected = MZ_HAS_PLAN;
    while (!atomic_compare_exchange_weak(&b->verification->state, &expected, MZ_PLAN_IS_TAKEN)) {
        if (expected == MZ_PLAN_IS_TAKEN || !mz_beside_wait_for_plan(b)) /* withdrawn meanwhile */
            return -1;
        expected = MZ_HAS_PLAN;
    }
    if (!mz_verification_plan(b->verification, &b->plan))
        return -1;
    b->taken = true;
    uint64_t *offsets = mz_allocate_zeroed(b->plan.place_count, sizeof *offsets);
    for (size_t i = 0; i < b->plan.place_count; i++)
        offsets[i] = find ? find(context, b->plan.places[i]) : MZ_PLAN_NO_PLACE;
    bool written = write_image(b, flags, offsets);
    mz_release(offsets);
    return written ? b->image : -1;
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
    else if (!b->taken && b->verification->obstacle[0])
        message = b->verification->obstacle;
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
    if (b->taken) {
        status->prefix = atomic_load(v->prefix);
        status->length = b->plan.length;
        status->constraints = (uint32_t)mz_plan_constraints(&b->plan, status->prefix);
        status->constraints_at_first = (uint32_t)mz_plan_constraints(&b->plan, b->plan.length);
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
    mz_plan_release(&b->plan);
    mz_verification_release(b->verification);
    mz_shared_release(b->shared);
    if (b->head)
        munmap(b->head, sizeof *b->head);
    for (int i = 0; i < 2; i++)
        if (b->changed[i] >= 0)
            close(b->changed[i]);
    if (b->image >= 0)
        close(b->image);
    mz_release(b);
}
