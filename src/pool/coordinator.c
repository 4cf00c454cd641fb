/* The coordinator: forks workers, leases items to them, hears what comes of these, and decides when it is
 * over. It does not run the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "pool/coordinator.h"

/* ---- workers --------------------------------------------------------------------------------------------
 */

static void close_channels(const mz__coordinator *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].state == MZ__HERE)
            close(c->workers[i].channel);
}

/* 0 in the worker, < 0 if there can be none. */
static pid_t start_worker(mz__coordinator *c)
{
    mz_pool *p = c->pool;
    int ends[2];
    uint32_t slot = 0;
    while (slot < c->count && c->workers[slot].state != MZ__NO_WORKER)
        slot++;
    if (slot == MZ_POOL_MOST_WORKERS || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    memset(&p->shared->workers[slot], 0, sizeof p->shared->workers[slot]);
    fflush(stdout);
    fflush(stderr);
    pid_t coordinator_process = getpid(), process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGXCPU, SIG_DFL); /* to be seen by who waits for it */
        if (getppid() != coordinator_process)
            _exit(0);
        close_channels(c);
        close(ends[0]);
        mz__worker_begin(p, slot, ends[1]);
        return 0;
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return -1;
    }
    c->workers[slot] = (mz__worker){.state = MZ__HERE, .process = process, .channel = ends[0]};
    c->count = slot == c->count ? slot + 1 : c->count;
    return process;
}

static void forget_worker(mz__worker *w)
{
    close(w->channel);
    *w = (mz__worker){0};
}

static void kill_others(mz__coordinator *c, const mz__worker *but)
{
    for (uint32_t i = 0; i < c->count; i++) {
        mz__worker *w = &c->workers[i];
        if (w->state != MZ__HERE || w == but)
            continue;
        kill(w->process, SIGKILL);
        waitpid(w->process, NULL, 0);
        forget_worker(w);
    }
}

/* So that whoever waits for us sees the same. */
void mz_pool_end_like(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* It knows what makes all else void, and does the rest. */
static _Noreturn void let_succeed(mz__coordinator *c, mz__worker *successor)
{
    const volatile sig_atomic_t *interrupted = c->pool->limits.interrupted;
    int status = 0;
    bool told = false;
    kill_others(c, successor);
    mz_channel_send(successor->channel, MZ_MESSAGE_SUCCEED, &(mz_bytes){0});
    for (;;) {
        pid_t ended = waitpid(successor->process, &status, 0);
        if (ended == successor->process || (ended < 0 && errno != EINTR))
            mz_pool_end_like(status);
        if (interrupted && *interrupted && !told) {
            kill(successor->process, SIGTERM);
            told = true;
        }
    }
}

/* ---- ending ---------------------------------------------------------------------------------------------
 */

static void ask_to_stop(mz__coordinator *c, bool all, sig_atomic_t how)
{
    const mz_pool *p = c->pool;
    for (uint32_t i = 0; i < c->count; i++) {
        const mz__worker *w = &c->workers[i];
        if (!w->lease || p->shared->workers[i].stop || !(all || mz_ledger_is_void(&p->ledger, w->lease)))
            continue;
        p->shared->workers[i].stop = how;
        if (mz__is_away(w))
            mz_channel_send(w->channel, MZ_MESSAGE_STOP, &(mz_bytes){0});
    }
}

static bool is_interrupted(const mz_pool *p)
{
    return p->limits.interrupted && *p->limits.interrupted;
}

static void stop_all(mz__coordinator *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void stop_all(mz__coordinator *c, const char *format, ...)
{
    mz_pool *p = c->pool;
    if (p->stops)
        return;
    p->stops = true;
    c->stopped_at = mz_seconds_now();
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&p->why, format, arguments);
    va_end(arguments);
    p->local.left_whole = p->local.coarse && !is_interrupted(p);
    ask_to_stop(c, true, p->local.left_whole ? MZ_ENDED_FOR_GOOD : MZ_INTERRUPTED);
}

/* Bytes of the process, what it shares with n others as one n-th of that; 0 if the system does not say. */
static uint64_t share_of_memory(pid_t process)
{
    char path[64], line[256];
    unsigned long long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Pss: %llu kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return (uint64_t)kilobytes << 10;
}

/* The limit is for all together. */
static void look_at_memory(mz__coordinator *c)
{
    const mz_search *s = c->pool->search;
    uint64_t limit = c->pool->limits.memory, sum = share_of_memory(getpid());
    uint64_t before = s->memory_before >= limit ? s->memory_before : 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].state == MZ__HERE)
            sum += share_of_memory(c->workers[i].process);
    if (sum >= limit + before)
        stop_all(c, "the memory limit of %llu MiB was reached (--max-memory)",
                 (unsigned long long)(limit >> 20));
}

static void look_for_stuck(mz__coordinator *c)
{
    const mz_pool_program *program = &c->pool->options.program;
    for (uint32_t i = 0; program->is_stuck && i < c->count; i++) {
        mz__worker *w = &c->workers[i];
        if (w->state != MZ__HERE || !w->lease || w->succeeds ||
            !program->is_stuck(program->context, i, w->process))
            continue;
        w->was_stuck = w->was_ended = true;
        kill(w->process, SIGKILL);
    }
}

static void show(mz__coordinator *c, double now)
{
    const mz_pool *p = c->pool;
    if (!p->limits.progress || now < c->next_show)
        return;
    c->next_show = now + 0.25;
    mz_statistics sum = mz_ledger_statistics(&p->ledger);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].lease) {
            sum.traces += p->shared->workers[i].traces;
            sum.events += p->shared->workers[i].events;
        }
    mz__pool_show(p, sum.traces, sum.events, 0);
}

/* ---- successors -----------------------------------------------------------------------------------------
 * That one worker has learned something is a result of its item, like an error: whoever is fast, it counts
 * if nothing at an earlier place ends the search. Until that is known, the worker waits. */

static mz__worker *successor_of(mz__coordinator *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].succeeds)
            return &c->workers[i];
    return NULL;
}

static void end_successor(mz__coordinator *c, mz__worker *w)
{
    w->succeeds = false;
    w->was_ended = true;
    kill(w->process, SIGKILL);
    waitpid(w->process, NULL, 0);
    mz_ledger_put_back(&c->pool->ledger, w->lease);
    forget_worker(w);
}

static void note_successor(mz__coordinator *c, mz__worker *w)
{
    mz_ledger *l = &c->pool->ledger;
    mz__worker *later = successor_of(c);
    if (mz_ledger_is_void(l, w->lease)) {
        end_successor(c, w);
        return;
    }
    if (later)
        end_successor(c, later);
    w->succeeds = true;
    mz_ledger_end_at(l, w->lease);
    ask_to_stop(c, false, MZ_INTERRUPTED);
}

/* Nothing else has ended the search before, and nothing will. */
static void succeed_if_due(mz__coordinator *c)
{
    mz__worker *w = successor_of(c);
    if (w && !mz_ledger_ends_at(&c->pool->ledger, w->lease))
        end_successor(c, w);
    else if (w && !c->pool->stops && mz_ledger_is_done(&c->pool->ledger))
        let_succeed(c, w);
}

/* The search is stopped before that was known. Whoever goes on with it will learn it, too. */
static void forget_successor(mz__coordinator *c)
{
    mz__worker *w = successor_of(c);
    if (!w)
        return;
    end_successor(c, w);
    mz_ledger_forget_end(&c->pool->ledger);
}

/* ---- now and then ----------------------------------------------------------------------------------------
 */

static void look_around(mz__coordinator *c)
{
    mz_pool *p = c->pool;
    double now = mz_seconds_now(), spent = now - p->begun + p->limits.seconds_before;
    if (is_interrupted(p))
        stop_all(c, "interrupted");
    if (p->limits.seconds > 0 && spent >= p->limits.seconds && !p->stops) {
        p->search->is_late = true;
        stop_all(c, "the time limit of %g s was reached (--timeout)", p->limits.seconds);
    }
    if (!p->pauses && mz__pool_is_save_due(p) && !successor_of(c)) {
        p->pauses = true;
        ask_to_stop(c, true, MZ_INTERRUPTED);
    }
    show(c, now);
    if (now < c->next_look)
        return;
    c->next_look = now + 0.1;
    mz__ranks_give_up(c, now);
    if (p->limits.memory > 0)
        look_at_memory(c);
    look_for_stuck(c);
}

/* ---- messages -------------------------------------------------------------------------------------------
 */

/* Nobody but somebody else ends a process like this: a user, or a system that is out of memory. Another one
 * takes its place, but not for ever. */
static bool is_replaced(const mz__worker *w, int status)
{
    enum { TIMES = 3 };
    bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !w->was_ended;
    return was_killed && w->lease->killed++ < TIMES;
}

/* Its process is gone. Whatever the program did to it, it happened there. */
static void note_gone(mz__coordinator *c, mz__worker *w)
{
    mz_pool *p = c->pool;
    int status = 0;
    waitpid(w->process, &status, 0);
    if (w->succeeds) { /* what it knew, another one will learn */
        mz_ledger_put_back(&p->ledger, w->lease);
        mz_ledger_forget_end(&p->ledger);
    } else if (w->lease && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        mz_ledger_put_back(&p->ledger, w->lease);
        stop_all(c, MZ_OUT_OF_PROCESSOR_TIME);
    } else if (w->lease && !mz_ledger_is_void(&p->ledger, w->lease) && !is_replaced(w, status)) {
        mz_harvest none = {.stopped = true};
        mz_frontier nothing = {0};
        mz_ledger_settle(&p->ledger, w->lease, &none, &nothing, true);
        c->has_gone = true;
        mz_bytes_copy(&c->gone_at, &p->ledger.end);
        c->gone = (uint32_t)(w - c->workers);
        c->gone_status = status;
        c->gone_was_stuck = w->was_stuck;
        ask_to_stop(c, false, MZ_INTERRUPTED);
    } else if (w->lease) {
        mz_ledger_put_back(&p->ledger, w->lease);
    }
    forget_worker(w);
}

static bool read_split(mz__coordinator *c, mz__worker *w)
{
    mz_byte_reader reader = {.data = c->bytes.data, .length = c->bytes.length};
    mz_frontier given;
    if (!w->lease || !mz_frontier_read(&reader, &given))
        return false;
    mz_ledger_split(&c->pool->ledger, w->lease, &given);
    mz_frontier_release(&given);
    return true;
}

static bool read_harvest(mz__coordinator *c, mz__worker *w)
{
    mz_pool *p = c->pool;
    mz_byte_reader reader = {.data = c->bytes.data, .length = c->bytes.length};
    mz_frontier left;
    mz_harvest harvest;
    mz_bytes testimony = {0};
    if (!w->lease || !mz_frontier_read(&reader, &left))
        return false;
    if (!mz_harvest_read(&reader, &harvest, &p->names)) {
        mz_frontier_release(&left);
        return false;
    }
    mz_read_block(&reader, &testimony);
    bool is_void = mz_ledger_is_void(&p->ledger, w->lease);
    bool told = p->shared->workers[w - c->workers].stop; /* then it has ended because it was asked to */
    bool failed =
        harvest.problem_count > 0 && !p->search->options.all_errors; /* or it goes on all the same */
    bool ends = harvest.stopped && (failed || harvest.lost || !told);
    if (harvest.stopped && !ends)
        mz_harvest_goes_on(&harvest);
    if (p->options.program.hear && !is_void) {
        mz_byte_reader words = {.data = testimony.data, .length = testimony.length};
        uint32_t number = mz__is_away(w) ? MZ_POOL_NOBODY : (uint32_t)(w - c->workers);
        p->options.program.hear(p->options.program.context, number, &words);
    }
    mz_ledger_settle(&p->ledger, w->lease, &harvest, &left, ends);
    w->lease = NULL;
    p->shared->workers[w - c->workers].stop = 0;
    if (ends)
        ask_to_stop(c, false, MZ_INTERRUPTED);
    mz_frontier_release(&left);
    mz_bytes_release(&testimony);
    return !reader.failed;
}

static void hear(mz__coordinator *c, mz__worker *w)
{
    mz_message_kind kind;
    bool came = mz_channel_receive(w->channel, &kind, &c->bytes), is_away = mz__is_away(w);
    if (!came && is_away)
        mz__rank_lost(c, w);
    else if (!came)
        note_gone(c, w);
    if (!came || (is_away && mz__ranks_hear(c, w, kind)))
        return;
    bool understood = false;
    if (kind == MZ_MESSAGE_SPLIT)
        understood = read_split(c, w);
    else if (kind == MZ_MESSAGE_HARVEST)
        understood = read_harvest(c, w);
    else if (kind == MZ_MESSAGE_SUCCEED && !is_away && w->lease) {
        note_successor(c, w);
        return;
    }
    if (!understood && is_away) {
        mz__rank_lost(c, w);
    } else if (!understood) { /* the program has written into what is ours */
        w->was_ended = true;
        kill(w->process, SIGKILL);
        note_gone(c, w);
    }
}

/* The first item that waits, to a worker that does, too. */
static bool lease_to(mz__coordinator *c, mz__worker *w)
{
    mz_pool *p = c->pool;
    bool waits = p->options.ranks_first && mz__ranks_are_beginning(c);
    if (p->stops || p->pauses || waits || w->state == MZ__BEGINNING)
        return false;
    mz_entry *lease = mz__is_away(w) ? mz_ledger_lease_away(&p->ledger) : mz_ledger_lease(&p->ledger);
    if (!lease)
        return false;
    mz_bytes bytes = {0};
    mz_worker_line *line = &p->shared->workers[w - c->workers];
    line->traces = line->events = 0;
    w->lease = lease;
    mz_work_item_write(&lease->item, &bytes);
    mz_channel_send(w->channel, MZ_MESSAGE_ITEM, &bytes); /* if it is gone, we shall hear of that */
    mz_bytes_release(&bytes);
    return true;
}

static uint32_t count_workers(const mz__coordinator *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        count += c->workers[i].state == MZ__HERE && !c->workers[i].succeeds;
    return count;
}

/* False in a new worker. */
static bool lease_all(mz__coordinator *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].state != MZ__NO_WORKER && !c->workers[i].lease)
            lease_to(c, &c->workers[i]);
    while (c->pool->ledger.waiting.count > 0 && !c->pool->stops && !c->pool->pauses &&
           !mz_ledger_is_done(&c->pool->ledger) && count_workers(c) < mz__pool_jobs(c->pool)) {
        pid_t process = start_worker(c);
        if (process == 0)
            return false;
        if (process < 0)
            break;
        for (uint32_t i = 0; i < c->count; i++)
            if (c->workers[i].state == MZ__HERE && c->workers[i].process == process &&
                !lease_to(c, &c->workers[i]))
                return true;
    }
    return true;
}

static void wait_and_hear(mz__coordinator *c)
{
    struct pollfd looks[MZ_POOL_MOST_WORKERS];
    uint32_t whose[MZ_POOL_MOST_WORKERS], count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].state != MZ__NO_WORKER) {
            looks[count] = (struct pollfd){.fd = c->workers[i].channel, .events = POLLIN};
            whose[count++] = i;
        }
    if (poll(looks, count, 50) <= 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (looks[i].revents)
            hear(c, &c->workers[whose[i]]);
}

static bool some_work(const mz__coordinator *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].lease && !c->workers[i].succeeds)
            return true;
    return false;
}

static void dismiss(mz__coordinator *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        mz__worker *w = &c->workers[i];
        if (w->state != MZ__HERE)
            continue;
        close(w->channel);
        waitpid(w->process, NULL, 0);
        w->state = MZ__NO_WORKER;
    }
    mz_bytes_release(&c->bytes);
}

/* Nothing has ended the search at an earlier place than where a worker is gone. */
static bool is_result(const mz__coordinator *c)
{
    const mz_place_in_tree *end = &c->pool->ledger.end;
    return end->length == c->gone_at.length && memcmp(end->data, c->gone_at.data, end->length) == 0;
}

/* False in a new worker. */
static bool coordinate(mz__coordinator *c)
{
    mz_pool *p = c->pool;
    do {
        if (p->pauses && !some_work(c)) {
            mz__pool_save(p, false);
            p->pauses = false;
        }
        if (!lease_all(c))
            return false;
        wait_and_hear(c);
        look_around(c);
        succeed_if_due(c);
    } while (some_work(c) || (!p->stops && !mz_ledger_is_done(&p->ledger)));
    forget_successor(c);
    dismiss(c);
    mz_pool_program *program = &p->options.program;
    if (c->has_gone && is_result(c)) {
        if (program->end_like)
            program->end_like(program->context, c->gone, c->gone_was_stuck);
        mz_pool_end_like(c->gone_status);
    }
    return true;
}

void mz__pool_fork(mz_pool *p, mz_search *at_hand)
{
    p->shared = mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    mz__coordinator *c = mz_allocate_zeroed(1, sizeof *c);
    c->pool = p;
    if (p->shared == MAP_FAILED || (p->options.jobs < 2 && p->options.rank_count == 0)) {
        p->options.jobs = 1; /* then alone */
        mz_release(c);
        return;
    }
    if (p->options.program.before_workers)
        p->options.program.before_workers(p->options.program.context);
    pid_t first = at_hand ? start_worker(c) : 1;
    if (first == 0) {
        mz__worker_take_over(p, at_hand);
        return;
    }
    if (first < 0) {
        p->options.jobs = 1;
        mz_release(c);
        return;
    }
    if (at_hand)
        c->workers[0].lease = p->lease;
    mz__ranks_begin(c);
    if (coordinate(c))
        p->role = MZ__COORDINATOR;
    else
        mz__worker_serve(p);
    mz_bytes_release(&c->bytes);
    mz_bytes_release(&c->gone_at);
    mz_release(c);
    /* The search at hand is somebody else's now, and it says nothing about how much is done. */
    p->search->walks_tree = false;
    if (at_hand)
        at_hand->stop = at_hand->was_put_back = true;
}
