#include "pool/pool.h"

#include <stdlib.h>

#include "base/memory.h"
#include "pool/pool_internal.h"
#include "search/scout.h"

/* Rare enough to cost nothing, often enough for everybody to have something to do: hundredths of a second. */
enum { SPLIT_EVERY = 50000 };

bool mz_pool_parts(const mz_algorithm *algorithm, const mz_search_options *o, const mz_machine *machine)
{
    bool counts = o->limits.traces > 0 || o->limits.events > 0; /* in the order of one worker */
    return !algorithm->in_one_piece && !algorithm->one_worker && !counts && !o->safe_prefix && !o->stateful &&
           !o->one_valuation && !machine->has_boundaries && (!algorithm->repeats || o->sleep_sets);
}

/* ---- one item -------------------------------------------------------------------------------------------
 */

static void scout(mz_search *s, const mz_work_item *item)
{
    mz_byte_reader payload = {.data = item->payload.data, .length = item->payload.length};
    uint64_t events = mz_read_number(&payload), before = mz_read_number(&payload);
    s->statistics.scouted = before;
    mz_scout_after(s, events);
    s->statistics.scouted -= before;
}

void mz__pool_explore(mz_pool *p, mz_search *s, const mz_work_item *item)
{
    s->split_every = s->next_split = p->options.split_every;
    s->after_split = mz__pool_after_split;
    s->split_context = p;
    p->epoch = p->local.epoch;
    p->local.count = 0;
    if (item->form == MZ_ITEM_SCOUTING) {
        scout(s, item);
        return;
    }
    mz_frontier_search(&p->local, s, p->algorithm->run, item);
    s->frontier = NULL;
    s->item = NULL;
}

/* Nobody else has begun. */
static bool is_time_for_others(const mz_pool *p)
{
    return p->options.jobs > 1 && p->ledger.waiting.count > 0 &&
           mz_seconds_now() - p->begun >= p->options.patience;
}

void mz__pool_after_split(void *context, mz_search *s)
{
    mz_pool *p = context;
    if (p->role != MZ__ALONE) {
        mz__worker_send_split(p);
        return;
    }
    mz_ledger_split(&p->ledger, p->lease, &p->local);
    if (is_time_for_others(p))
        mz__pool_fork(p, s);
}

/* ---- all of them ----------------------------------------------------------------------------------------
 */

bool mz__has_new_boundaries(const mz_pool *p)
{
    bool in_one_piece = p->role == MZ__ALONE && p->ledger.done.count + p->ledger.waiting.count == 0;
    return p->search->machine->has_boundaries && !in_one_piece;
}

/* Another epoch: the frontier has it as a whole. */
static void begin_epoch(mz_pool *p, uint64_t events)
{
    mz_work_item whole = mz_frontier_take(&p->local, 0);
    mz_ledger_begin_epoch(&p->ledger, events, &whole);
    p->lease = NULL;
}

static uint64_t events_so_far(const mz_pool *p, const mz_search *s)
{
    return mz_ledger_statistics(&p->ledger).events + s->statistics.events;
}

/* The search of the item has ended in the only process there is. */
static void settle(mz_pool *p, mz_search *s)
{
    mz_harvest harvest;
    bool refused = p->local.refused.length > 0;
    if (p->local.epoch != p->epoch) {
        begin_epoch(p, events_so_far(p, s));
        return;
    }
    mz_harvest_take(&harvest, s);
    harvest.lost = p->local.lost || refused;
    mz_ledger_settle(&p->ledger, p->lease, &harvest, &p->local, s->stop);
    p->lease = NULL;
}

/* False if it is all over: there is another attempt to be made, or somebody else has the result. */
static bool goes_on(mz_pool *p, mz_search *s)
{
    if (p->role == MZ__WORKER) {
        mz__worker_report(p, s);
        if (p->role == MZ__WORKER)
            mz__worker_serve(p);
    }
    if (p->role == MZ__COORDINATOR)
        return false;
    if (s->machine->begin_again || mz__has_new_boundaries(p)) {
        p->search->begin_again = p->search->stop = true;
        return false;
    }
    if (p->role == MZ__SUCCESSOR) {
        p->role = MZ__ALONE;
        begin_epoch(p, 0);
    } else {
        settle(p, s);
    }
    return true;
}

/* Progress is told of all that was done, not of the item at hand. */
static void show_progress(void *context, const mz_progress *of_item)
{
    const mz_pool *p = context;
    mz_statistics before = mz_ledger_statistics(&p->ledger);
    mz__pool_show(p, before.traces + of_item->traces, before.events + of_item->events, of_item->depth);
}

void mz__pool_show(const mz_pool *p, uint64_t traces, uint64_t events, uint32_t depth)
{
    double seconds = mz_seconds_now() - p->begun, total = p->search->total;
    mz_progress all = {.traces = traces,
                       .events = events,
                       .seconds = seconds,
                       .traces_per_second = (double)traces / seconds,
                       .share_done = (double)traces < total ? (double)traces / total : 0,
                       .depth = depth};
    p->limits.progress(p->limits.progress_context, &all);
}

void mz__pool_begin_part(mz_pool *p, mz_search *part)
{
    enum { NO_LONGER_NEW = 1000 }; /* repeated seldom: search/leaf.c */
    mz_search_options options = p->search->options;
    options.limits = p->limits;
    options.limits.seconds_before += mz_seconds_now() - p->begun;
    if (options.limits.progress) {
        options.limits.progress = show_progress;
        options.limits.progress_context = p;
    }
    mz_search_init(part, p->search->machine, &options);
    part->next_scouting = 0;
    part->next_sampling = 1e18;
    part->ended = NO_LONGER_NEW;
}

/* The next item in a search of its own; the first one in the search that was given. False if there is none,
 * or it is all over. */
static bool explore_next(mz_pool *p)
{
    mz_search part = {0};
    bool is_first = !p->search->execution;
    mz_search *s = is_first ? p->search : &part;
    mz_entry *lease = p->lease = mz_ledger_lease(&p->ledger);
    if (!lease)
        return false;
    if (!is_first)
        mz__pool_begin_part(p, &part);
    mz__pool_explore(p, s, &lease->item);
    bool more = goes_on(p, s);
    p->search->walks_tree &= is_first && p->ledger.waiting.count == 0;
    if (!is_first)
        mz_search_release(&part);
    return more;
}

/* What was found by all is told in the search that was given. */
static void tell(mz_pool *p)
{
    mz_harvest total;
    bool is_left = !mz_ledger_is_done(&p->ledger);
    mz_ledger_total(&p->ledger, &total);
    if (p->stops && total.problem_count == 0) {
        total.stopped = total.incomplete = true;
        mz_text_clear(&total.reason);
        mz_text_add(&total.reason, "%s", mz_text_string(&p->why));
    }
    (void)is_left;
    mz_harvest_give(&total, p->search);
}

mz_pool *mz_pool_run(const mz_pool_options *options, const mz_algorithm *algorithm, mz_search *search)
{
    mz_pool *p = mz_allocate_zeroed(1, sizeof *p);
    p->options = *options;
    p->algorithm = algorithm;
    p->search = search;
    p->limits = search->options.limits;
    p->begun = search->started;
    p->channel = -1;
    if (p->options.jobs > MZ_POOL_MOST_WORKERS)
        p->options.jobs = MZ_POOL_MOST_WORKERS;
    if (p->options.split_every == 0)
        p->options.split_every = SPLIT_EVERY;
    if (!mz_pool_parts(algorithm, &search->options, search->machine)) {
        mz_algorithm_run(algorithm, search);
        return p;
    }
    mz_ledger_begin(&p->ledger, search->next_scouting > 0);
    while (explore_next(p))
        ;
    if (!search->begin_again)
        tell(p);
    mz_algorithm_close(algorithm, search);
    return p;
}

void mz_pool_release(mz_pool *p)
{
    if (!p)
        return;
    mz_ledger_release(&p->ledger);
    mz_frontier_release(&p->local);
    mz_arena_release(&p->names);
    mz_text_release(&p->why);
    mz_release(p);
}
