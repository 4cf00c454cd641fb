#define _GNU_SOURCE
#include "session/clients/crew.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/processors.h"
#include "session/clients/coverage.h"
#include "session/clients/progress.h"
#include "session/progress.h"

/* What the first clients teach about the program everybody knows; a batch takes long enough that its process
 * is worth being started, and is small enough that there is one for everybody. */
enum { FIRST_CLIENTS = 32, CLIENTS_OF_BATCH = 64 };

/* One of the processes. */
typedef struct hand {
    mz_batch *batch; /* NULL: nothing to do */
    mz_shared *shared;
    pid_t process;
    int handle;
    uint64_t pulse;
    double last_sign;
    bool was_stuck, was_told;
} hand;

typedef struct crew {
    mz_client_host *host;
    mz_client_plan *plan;
    mz_saving *saving;
    mz_batch *batches;
    size_t count, next; /* to be begun */
    hand *hands;
    uint32_t jobs, busy;
    volatile uint32_t *allowed; /* processes for each of them */
    size_t end;                 /* the first batch that ends all; count: none does */
    hand fallen;                /* how it ended, if its process is gone or has told a result */
    int status;
    double begun, next_save;
    mz_progress_line line;
} crew;

/* ---- batches --------------------------------------------------------------------------------------------
 */

static void deal(crew *c)
{
    size_t all = c->plan->clients.count, left = all > c->plan->first ? all - c->plan->first : 0;
    bool is_followed = getenv(MZ_DEBUG_VARIABLE); /* a debugger sees one process */
    size_t first = left <= FIRST_CLIENTS || is_followed ? left : FIRST_CLIENTS;
    c->count = 1 + (left - first + CLIENTS_OF_BATCH - 1) / CLIENTS_OF_BATCH;
    c->batches = mz_allocate_zeroed(c->count, sizeof *c->batches);
    c->batches[0] = (mz_batch){.first = c->plan->first, .count = first};
    for (size_t i = 1; i < c->count; i++) {
        size_t at = c->plan->first + first + (i - 1) * CLIENTS_OF_BATCH, rest = all - at;
        c->batches[i] =
            (mz_batch){.first = at, .count = rest < CLIENTS_OF_BATCH ? rest : (size_t)CLIENTS_OF_BATCH};
    }
    c->end = c->count;
}

static bool is_over(const crew *c)
{
    return mz_interrupted || (c->host->deadline > 0 && mz_seconds_now() >= c->host->deadline);
}

/* ---- saving ---------------------------------------------------------------------------------------------
 */

static void save(crew *c)
{
    mz_bytes bytes = {0};
    mz_batches_write(c->batches, c->count, c->host, &bytes);
    mz_saving_save(c->saving, &bytes);
    mz_bytes_release(&bytes);
    c->next_save = mz_seconds_now() + c->host->settings->checkpoint_every;
}

static void save_if_due(crew *c)
{
    if (c->host->settings->checkpoint && mz_seconds_now() >= c->next_save)
        save(c);
}

/* ---- hands ----------------------------------------------------------------------------------------------
 */

static void begin_next(crew *c)
{
    uint32_t free = 0;
    while (c->hands[free].batch)
        free++;
    while (c->next < c->count && c->batches[c->next].end != MZ_BATCH_WAITS)
        c->next++;
    if (c->next >= c->end || c->next == c->count)
        return;
    mz_batch *batch = &c->batches[c->next++];
    mz_error error = {0};
    hand *h = &c->hands[free];
    *h = (hand){.batch = batch};
    c->allowed[free] = 1;
    mz_batch_work work = {
        .batch = batch, .host = c->host, .asker = free + 1, .allowed_jobs = &c->allowed[free]};
    double left = c->host->deadline > 0 ? c->host->deadline - mz_seconds_now() : 0;
    h->shared = mz_start_worker(mz_batch_explore, &work, left > 0 ? left : 0, &h->process, &error);
    if (error.set || h->process < 0) { /* there can be no more of them now */
        c->next--;
        h->batch = NULL;
        mz_shared_release(h->shared);
        mz_error_release(&error);
        return;
    }
    batch->end = MZ_BATCH_RUNS;
    h->handle = (int)syscall(SYS_pidfd_open, h->process, 0);
    c->busy++;
}

/* Nobody needs what it does any more. */
static void dismiss(crew *c, hand *h)
{
    kill(h->process, SIGKILL);
    waitpid(h->process, NULL, 0);
    if (h->handle >= 0)
        close(h->handle);
    mz_shared_release(h->shared);
    h->batch = NULL;
    c->busy--;
}

/* It is not what clients do that ended it. */
static bool is_by_time(const mz_batch *b)
{
    return b->end == MZ_BATCH_STOPPED && (b->stopped.is_late || b->tally.is_late || mz_interrupted);
}

/* Is that what ends all? */
static bool comes_first(const crew *c, size_t at)
{
    if (c->end == c->count)
        return true;
    bool now = is_by_time(&c->batches[c->end]), then = is_by_time(&c->batches[at]);
    return now != then ? now : at < c->end;
}

static void note_end(crew *c, const hand *h, size_t at, int status)
{
    if (comes_first(c, at)) {
        if (c->end < c->count)
            mz_shared_release(c->fallen.shared);
        c->end = at;
        c->fallen = *h;
        c->status = status;
    } else {
        mz_shared_release(h->shared);
    }
    for (uint32_t i = 0; i < c->jobs && !is_by_time(&c->batches[c->end]); i++)
        if (c->hands[i].batch && c->hands[i].batch > &c->batches[c->end])
            dismiss(c, &c->hands[i]);
}

/* Nobody but somebody else ends a process like this: a user, or a system that is out of memory. Another one
 * takes its place, but not for ever. (Half an answer may be on its way from a specification.) */
static bool is_replaced(const crew *c, const hand *h, int status)
{
    enum { TIMES = 3 };
    bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !h->was_stuck;
    return was_killed && !c->plan->specification && h->batch->killed++ < TIMES;
}

static void collect(crew *c, hand *h, int status)
{
    hand gone = *h;
    size_t at = (size_t)(h->batch - c->batches);
    bool told = mz_batch_take(h->batch, c->host, h->shared);
    c->host->shared->flight.too_many_threads |= h->shared->flight.too_many_threads;
    if (h->handle >= 0)
        close(h->handle);
    h->batch = NULL;
    c->busy--;
    if (!told && is_replaced(c, &gone, status)) {
        gone.batch->end = MZ_BATCH_WAITS;
        c->next = at < c->next ? at : c->next;
    } else if (!told || gone.batch->end != MZ_BATCH_DONE) {
        note_end(c, &gone, at, status);
        return;
    }
    mz_shared_release(gone.shared);
}

/* ---- now and then ----------------------------------------------------------------------------------------
 */

/* Who has nothing to do helps those that have. */
static void allow(crew *c)
{
    uint32_t idle = c->jobs - c->busy, given = 0;
    for (uint32_t i = 0; i < c->jobs && c->busy > 0; i++) {
        if (!c->hands[i].batch)
            continue;
        uint32_t share = 1 + idle / c->busy + (given++ < idle % c->busy);
        if (share > c->allowed[i])
            c->allowed[i] = share;
    }
}

static void look_after(hand *h)
{
    if (mz_interrupted && !h->was_told) {
        h->was_told = true;
        kill(h->process, SIGTERM);
    }
    if (!h->was_stuck && mz_is_without_life(h->process, h->shared->flight.pulse, &h->pulse, &h->last_sign)) {
        h->was_stuck = true;
        kill(h->process, SIGKILL);
    }
}

static void show(crew *c)
{
    mz_tally sum = {0};
    if (c->host->settings->quiet || !isatty(STDERR_FILENO))
        return;
    for (size_t i = 0; i < c->count; i++)
        mz_tally_add(&sum, &c->batches[i].tally);
    mz_progress_show_clients(&c->line, sum.checked, c->plan->clients.count - c->plan->first,
                             sum.statistics.traces, mz_seconds_now() - c->begun);
    mz_tally_release(&sum);
}

static void wait_for_hands(crew *c)
{
    struct pollfd *looks = mz_allocate_zeroed(c->jobs, sizeof *looks);
    for (uint32_t i = 0; i < c->jobs; i++)
        looks[i] = (struct pollfd){.fd = c->hands[i].batch ? c->hands[i].handle : -1, .events = POLLIN};
    poll(looks, c->jobs, 200);
    mz_release(looks);
    for (uint32_t i = 0; i < c->jobs; i++) {
        int status = 0;
        hand *h = &c->hands[i];
        if (!h->batch)
            continue;
        if (waitpid(h->process, &status, WNOHANG) == h->process)
            collect(c, h, status);
        else
            look_after(h);
    }
    c->host->shared->flight.pulse++; /* we live */
}

static void explore(crew *c)
{
    c->next = 1;
    c->allowed =
        mmap(NULL, c->jobs * sizeof *c->allowed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    c->hands = mz_allocate_zeroed(c->jobs, sizeof *c->hands);
    for (;;) {
        uint32_t before = c->busy;
        while (c->busy < c->jobs && !is_over(c)) {
            begin_next(c);
            if (c->busy == before)
                break;
            before = c->busy;
        }
        if (c->busy == 0)
            break;
        if (c->busy < c->jobs)
            allow(c);
        wait_for_hands(c);
        save_if_due(c);
        show(c);
    }
    mz_progress_erase(&c->line);
}

/* ---- what is told ---------------------------------------------------------------------------------------
 */

/* Batches whose clients count. */
static size_t count_told(const crew *c)
{
    return c->end == c->count || is_by_time(&c->batches[c->end]) ? c->count : c->end + 1;
}

/* What would have been run for these clients, had one process done it all. */
static void retell(const crew *c, mz_sequential *out)
{
    mz_error none = {0};
    mz_sequential_retell(out, &c->plan->sequential);
    for (size_t i = 0; i < count_told(c); i++) {
        const mz_batch *b = &c->batches[i];
        size_t tried = b->tally.checked + (b->stopped.open > 0);
        for (size_t k = 0; k < tried; k++)
            mz_clients_learn(c->plan, &c->plan->clients.list[b->first + k], out, &none);
    }
}

static mz_tally total_of(const crew *c)
{
    mz_tally total = {0};
    for (size_t i = 0; i < count_told(c); i++) {
        mz_tally_add(&total, &c->batches[i].tally);
        mz_tally_add(&total, &c->batches[i].stopped);
    }
    return total;
}

/* The first client of which nothing is known. */
static size_t next_client(const crew *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->batches[i].tally.checked < c->batches[i].count)
            return c->batches[i].first + c->batches[i].tally.checked;
    return c->plan->clients.count;
}

/* What is said of all of them together. */
static void tell_sums(crew *c, const mz_tally *total, mz_report *r)
{
    mz_sequential sequential;
    const mz_settings *s = c->host->settings;
    retell(c, &sequential);
    r->seconds = mz_seconds_now() - c->begun;
    r->clients_checked = total->checked;
    r->client_count = c->plan->clients.count;
    r->client_next = next_client(c) + 1;
    r->sequences = sequential.runs;
    r->checks |= s->search.checks & 1u << MZ_FAIL_HISTORY;
    mz_clients_assume(c->plan, &sequential);
    if (s->coverage)
        mz_clients_tell_coverage(c->host->machine, &s->operations, r);
    mz_sequential_release(&sequential);
}

/* The worker does so itself where the result is its own. */
static void add_assumptions(const mz_client_plan *p, mz_report *r)
{
    const char **lines = mz_allocate((r->assumption_count + p->assumption_count) * sizeof *lines + 1);
    for (size_t i = 0; i < r->assumption_count; i++)
        lines[i] = r->assumptions[i];
    for (size_t i = 0; i < p->assumption_count; i++)
        lines[r->assumption_count++] = p->assumptions[i];
    r->assumptions = lines;
}

/* Another process has found a client that fails, and has told it. */
static void adopt(crew *c)
{
    mz_shared *to = c->host->shared, *from = c->fallen.shared;
    mz_tally total = total_of(c);
    mz_report report = from->report, sums;
    mz_tally_tell(&total, c->host->settings, c->host->result->counts, &sums);
    report.counts = sums.counts;
    report.count_count = sums.count_count;
    tell_sums(c, &total, &report);
    add_assumptions(c->plan, &report);
    to->nondet_low = from->nondet_low;
    to->nondet_high = from->nondet_high;
    to->client_word = mz_share_text(to, from->client_word);
    to->threads = mz_share_text(to, from->threads);
    to->places = mz_share_text(to, from->places);
    mz_share_report(to, &report);
    mz_tally_release(&total);
}

/* The program has done something to its process: what that was is told as if it had been this one. */
static _Noreturn void end_like_it(crew *c)
{
    mz_shared *to = c->host->shared;
    const mz_shared *from = c->fallen.shared;
    to->flight = from->flight;
    to->client = from->client;
    to->client_word = mz_share_text(to, from->client_word);
    to->threads = mz_share_text(to, from->threads);
    to->places = mz_share_text(to, from->places);
    to->was_stuck = c->fallen.was_stuck;
    mz_pool_end_like(c->status);
}

/* All were right, as far as it went. */
static void compose(crew *c)
{
    mz_report *r = &c->host->result->report;
    mz_text *reason = &c->host->result->search.reason;
    mz_tally total = total_of(c);
    *c->host->result = (mz_result){.search.statistics = total.statistics};
    mz_tally_tell(&total, c->host->settings, c->host->result->counts, r);
    size_t all = c->plan->clients.count - c->plan->first;
    if (total.checked < all) {
        r->verdict = MZ_INCOMPLETE;
        r->bounded = r->only_sampled = false;
        r->was_stopped = true;
        r->share_done = (double)total.checked / (double)all;
    }
    if (r->verdict == MZ_INCOMPLETE && total.reason)
        mz_text_add(reason, "%s", total.reason);
    else if (r->verdict == MZ_INCOMPLETE && mz_interrupted)
        mz_text_add(reason, "interrupted");
    else if (r->verdict == MZ_INCOMPLETE)
        mz_text_add(reason, "the time limit of %g s was reached (--timeout)",
                    c->host->settings->search.limits.seconds);
    r->relation = c->host->machine->relation;
    r->thread_word = c->host->machine->class->thread_word;
    tell_sums(c, &total, r);
    bool asks_for_progress = c->host->settings->progress;
    size_t first = c->plan->first, next = next_client(c);
    if (asks_for_progress)
        mz_clients_tell_progress(c->host->machine, c->host->settings, c->plan->clients.list + first,
                                 next - first, c->host->deadline, r);
    if (c->saving->path)
        r->checkpoint = r->verdict == MZ_INCOMPLETE ? c->saving->path : NULL;
    mz_tally_release(&total);
}

/* The first clients have come to an end in this process. */
static void tell_first(crew *c)
{
    mz_report *r = &c->host->result->report;
    mz_tally total = total_of(c), unused = total;
    mz_report sums;
    mz_tally_tell(&unused, c->host->settings, c->host->result->counts, &sums);
    mz_batch_tell_failure(c->plan, c->host);
    tell_sums(c, &total, r);
    mz_tally_release(&total);
}

/* True if a report, or a message, is in the memory of the host. */
static bool tell(crew *c)
{
    mz_batch_end end = c->end < c->count ? c->batches[c->end].end : MZ_BATCH_DONE;
    switch (end) {
    case MZ_BATCH_FAILED:
        adopt(c);
        return true;
    case MZ_BATCH_REFUSED:
        memcpy(c->host->shared->message, c->fallen.shared->message, sizeof c->fallen.shared->message);
        return true;
    case MZ_BATCH_RUNS:
        end_like_it(c);
    default:
        if ((c->host->settings->checkpoint || mz_interrupted) && !c->host->settings->coverage)
            save(c);
        compose(c);
        return false;
    }
}

bool mz_crew_check(mz_client_host *host, mz_saving *saving)
{
    crew c = {.host = host, .plan = host->settings->clients, .saving = saving, .begun = mz_seconds_now()};
    const mz_checkpoint *resumed = host->settings->resumed;
    uint32_t first_jobs;
    mz_error error = {0};
    c.line.program = host->settings->files[0];
    c.jobs = host->settings->jobs > 0 ? host->settings->jobs : mz_processors();
    c.jobs = c.jobs > MZ_POOL_MOST_WORKERS ? MZ_POOL_MOST_WORKERS : c.jobs;
    c.next_save = c.begun + host->settings->checkpoint_every;
    first_jobs = c.jobs;
    host->settings->allowed_jobs = &first_jobs; /* the others have nothing to do yet */
    deal(&c);
    if (resumed && !mz_batches_read(c.batches, c.count, host, &resumed->state, resumed->path, &error)) {
        mz_share_refusal(host->shared, &error);
        return true;
    }
    if (c.batches[0].end != MZ_BATCH_DONE)
        mz_batch_check(&c.batches[0], host);
    if (c.batches[0].end == MZ_BATCH_REFUSED)
        return true;
    if (c.batches[0].end == MZ_BATCH_FAILED) {
        c.end = 0;
        tell_first(&c);
        return false;
    }
    if (c.batches[0].end == MZ_BATCH_DONE)
        explore(&c);
    else
        c.end = 0;
    return tell(&c);
}
