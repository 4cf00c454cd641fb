/* What a worker does: an item that it gets from the coordinator, what came of it back, and so on. */
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "pool/pool_internal.h"
#include "search/scout.h"

/* Of a build that counts what is executed (tools/profile). */
extern void __gcov_dump(void) __attribute__((weak));

/* Nobody waits for what it has. */
static _Noreturn void end(void)
{
    if (__gcov_dump)
        __gcov_dump();
    _Exit(0);
}

/* For tests: whoever is slow, the result is the same. */
static void delay(const mz_pool *p)
{
    static uint64_t state;
    const char *seed = getenv("MAZURKA_TEST_DELAYS");
    if (!seed)
        return;
    state = mz_mix64(state + strtoull(seed, NULL, 10) + p->worker * 1000003 + 1);
    struct timespec time = {.tv_nsec = (long)(state % 3000000)};
    if (state >> 32 & 1)
        nanosleep(&time, NULL);
}

static void send(const mz_pool *p, mz_message_kind kind, mz_bytes *bytes)
{
    if (!mz_channel_send(p->channel, kind, bytes))
        end();
    mz_bytes_release(bytes);
}

/* Items and nodes out of the frontier of the search at hand. What it asks the owners of nodes goes with its
 * harvest. */
static mz_frontier take_given(mz_pool *p)
{
    mz_frontier given = {.items = p->local.items, .count = p->local.count};
    mz_frontier_move_nodes(&given, &p->local);
    p->local.items = NULL;
    p->local.count = p->local.capacity = 0;
    return given;
}

void mz__worker_send_split(mz_pool *p)
{
    mz_bytes bytes = {0};
    delay(p);
    mz_frontier given = take_given(p);
    mz_frontier_write(&given, &bytes);
    send(p, MZ_MESSAGE_SPLIT, &bytes);
    mz_frontier_release(&given);
}

/* All that was explored, here and elsewhere, is void, unless the search ends at an earlier place: this
 * process waits to be told. */
static void succeed(mz_pool *p)
{
    mz_bytes none = {0};
    mz_message_kind kind;
    send(p, MZ_MESSAGE_SUCCEED, &none);
    if (!mz_channel_receive(p->channel, &kind, &none) || kind != MZ_MESSAGE_SUCCEED)
        end();
    mz_bytes_release(&none);
    if (p->options.program.succeed)
        p->options.program.succeed(p->options.program.context);
    p->role = MZ__SUCCESSOR;
    p->limits = p->given;
    p->search->options.limits = p->given;
}

/* Elsewhere nobody can succeed the coordinator, and what was learned cannot be told in full: it will be
 * learned at home. */
static void leave_to_home(const mz_pool *p, bool is_void)
{
    const mz_pool_program *program = &p->options.program;
    mz_bytes none = {0};
    if (!is_void && !(program->is_for_home && program->is_for_home(program->context)))
        return;
    send(p, MZ_MESSAGE_AT_HOME, &none);
    end();
}

void mz__worker_report(mz_pool *p, mz_search *s)
{
    mz_harvest harvest;
    mz_bytes bytes = {0}, testimony = {0};
    delay(p);
    bool is_void = s->begin_again || p->local.epoch != p->epoch || mz__has_new_boundaries(p);
    if (p->options.home)
        leave_to_home(p, is_void);
    if (is_void) {
        succeed(p);
        return;
    }
    mz_harvest_take(&harvest, s);
    harvest.lost = p->local.lost || p->local.refused.length > 0;
    mz_frontier left = take_given(p);
    mz_frontier_move_messages(&left, &p->local);
    mz_frontier_write(&left, &bytes);
    mz_frontier_release(&left);
    mz_harvest_write(&harvest, &bytes);
    if (p->options.program.testify)
        p->options.program.testify(p->options.program.context, &testimony);
    mz_bytes_add_block(&bytes, &testimony);
    mz_bytes_release(&testimony);
    send(p, MZ_MESSAGE_HARVEST, &bytes);
    mz_harvest_release(&harvest);
    p->local.lost = false;
}

static void note_progress(void *context, const mz_progress *progress)
{
    const mz_pool *p = context;
    mz_worker_line *line = p->line;
    line->traces = progress->traces;
    line->events = progress->events;
}

static void become_worker(mz_pool *p, mz_worker_line *line, int channel)
{
    p->role = MZ__WORKER;
    p->line = line;
    p->channel = channel;
    p->limits.interrupted = &line->stop;
    p->limits.seconds = 0; /* the coordinator has the clock */
    if (p->limits.progress) {
        p->limits.progress = note_progress;
        p->limits.progress_context = p;
    }
}

/* From now on it is one, in this search and in those that follow. */
void mz__worker_begin(mz_pool *p, uint32_t number, int channel)
{
    p->worker = number;
    become_worker(p, &p->shared->workers[number], channel);
    if (p->options.program.begin_worker)
        p->options.program.begin_worker(p->options.program.context, number);
}

void mz__worker_take_over(const mz_pool *p, mz_search *s)
{
    mz_limits *limits = &s->options.limits;
    limits->interrupted = p->limits.interrupted;
    limits->seconds = 0;
    limits->progress = p->limits.progress;
    limits->progress_context = p->limits.progress_context;
}

static bool receive_item(const mz_pool *p, mz_work_item *item)
{
    mz_message_kind kind;
    mz_bytes bytes = {0};
    bool came = mz_channel_receive(p->channel, &kind, &bytes) && kind == MZ_MESSAGE_ITEM;
    mz_byte_reader reader = {.data = bytes.data, .length = bytes.length};
    came = came && mz_work_item_read(&reader, item);
    mz_bytes_release(&bytes);
    return came;
}

/* What the frontier holds is of a search that somebody else goes on with. */
static void forget_at_hand(mz_pool *p)
{
    mz_frontier others = take_given(p);
    mz_frontier_move_messages(&others, &p->local);
    mz_frontier_release(&others);
}

void mz__worker_serve(mz_pool *p)
{
    forget_at_hand(p);
    while (p->role == MZ__WORKER) {
        mz_work_item item;
        mz_search part;
        if (!receive_item(p, &item))
            end();
        mz__pool_begin_part(p, &part);
        bool begins = item.form == MZ_ITEM_ROOT; /* once more: who had it was killed */
        part.next_scouting = begins && p->ledger.next_scouting > 0 ? MZ_SCOUT_AFTER : 0;
        mz__pool_explore(p, &part, &item);
        mz__worker_report(p, &part);
        mz_search_release(&part);
        mz_work_item_release(&item);
    }
}

void mz__worker_begin_away(mz_pool *p)
{
    mz_bytes none = {0};
    become_worker(p, p->options.home->line, p->options.home->channel);
    send(p, MZ_MESSAGE_READY, &none);
    mz__worker_serve(p);
}
