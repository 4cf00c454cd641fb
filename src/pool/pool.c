#include "pool/pool.h"

#include <stdlib.h>

#include "base/memory.h"
#include "pool/pool_internal.h"
#include "search/scout.h"

const char *mz_pool_why_alone(const mz_algorithm *algorithm, const mz_search_options *o,
                              const mz_machine *machine)
{
    if (algorithm->in_one_piece || algorithm->one_worker)
        return algorithm->name;
    if (o->limits.traces > 0)
        return "--max-traces"; /* which counts in the order of one worker */
    if (o->limits.events > 0)
        return "--max-events";
    if (o->stateful)
        return "--stateful";
    if (o->all_sections)
        return "--sections=all";
    if (o->safe_prefix || o->one_valuation)
        return "a plan";
    return machine && machine->has_boundaries ? "a program with loop boundaries" : NULL;
}

bool mz_pool_parts(const mz_algorithm *algorithm, const mz_search_options *options, const mz_machine *machine)
{
    return !mz_pool_why_alone(algorithm, options, machine);
}

/* ---- what a search gives away ---------------------------------------------------------------------------
 */

/* Nobody else has begun. */
static bool is_time_for_others(const mz_pool *p)
{
    return (mz__pool_jobs(p) > 1 || p->options.rank_count > 0) && p->ledger.waiting.count > 0 &&
           mz_seconds_now() - p->begun >= p->options.patience;
}

static void after_split(void *context, mz_search *s)
{
    mz_pool *p = context;
    if (p->role != MZ__ALONE) {
        mz__worker_send_split(p);
        return;
    }
    mz_ledger_split(&p->ledger, p->lease, &p->local);
    size_t enough = p->options.stop_with_items;
    if (mz__pool_is_save_due(p) || (enough > 0 && p->ledger.waiting.count >= enough)) {
        p->pauses = true;
        s->pause = MZ_PAUSE_DISSOLVE;
    } else if (is_time_for_others(p)) {
        mz__pool_fork(p, s);
    }
}

/* ---- all of them ----------------------------------------------------------------------------------------
 */

/* Another epoch: the frontier has it as a whole. (How much was done in the one before depends on how many
 * have searched by the time that one of them noticed: it does not count.) */
static void begin_epoch(mz_pool *p)
{
    mz_work_item whole = mz_frontier_take(&p->local, 0);
    mz_ledger_begin_epoch(&p->ledger, &whole);
    p->lease = NULL;
}

/* The search has paused, and all that waits is in the ledger. */
static void save_or_stop(mz_pool *p)
{
    size_t enough = p->options.stop_with_items;
    p->pauses = false;
    if (enough > 0 && p->ledger.waiting.count >= enough) {
        p->stops = true;
        mz_text_add(&p->why, "it is to be dealt out");
    } else {
        mz__pool_save(p, false);
    }
}

/* The search of the item has ended in the only process there is. */
static void settle(mz_pool *p, mz_search *s)
{
    mz_harvest harvest;
    bool refused = p->local.refused.length > 0;
    if (p->local.epoch != p->epoch) {
        begin_epoch(p);
        return;
    }
    p->search->is_late |= s->is_late;
    mz_harvest_take(&harvest, s);
    harvest.lost = p->local.lost || refused;
    bool can_go_on = s->stop && s->has_dissolved && harvest.problem_count == 0 && !harvest.lost;
    if (can_go_on && !p->pauses) {
        p->stops = true;
        mz_text_add(&p->why, "%s", mz_text_string(&harvest.reason));
    }
    if (can_go_on)
        mz_harvest_goes_on(&harvest);
    mz_ledger_settle(&p->ledger, p->lease, &harvest, &p->local, harvest.stopped);
    p->lease = NULL;
    if (p->pauses)
        save_or_stop(p);
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
    bool is_void = s->machine->begin_again || mz__has_new_boundaries(p) || p->local.epoch != p->epoch;
    if (p->ledger.is_task && is_void) {
        p->refuses = true;
        mz_search_stop(p->search,
                       "something new was learned about the program, and all tasks are void: split it again");
        p->options.save = NULL;
        return false;
    }
    if (s->machine->begin_again || mz__has_new_boundaries(p)) {
        p->search->begin_again = p->search->stop = true;
        return false;
    }
    if (p->role == MZ__SUCCESSOR) {
        p->role = MZ__ALONE;
        begin_epoch(p);
    } else {
        settle(p, s);
    }
    return true;
}

/* The next item in a search of its own; the first one in the search that was given. False if there is none,
 * or it is all over. */
static bool explore_next(mz_pool *p)
{
    mz_search part = {0};
    bool is_first = !p->search->execution;
    mz_search *s = is_first ? p->search : &part;
    if (p->ledger.waiting.count > 1 && is_time_for_others(p)) {
        mz__pool_fork(p, NULL);
        if (p->role != MZ__ALONE)
            return goes_on(p, p->search);
    }
    mz_entry *lease = p->lease = p->stops ? NULL : mz_ledger_lease(&p->ledger);
    if (!lease)
        return false;
    if (!is_first)
        mz__pool_begin_part(p, &part);
    bool begins = lease->place.length == 0; /* the others leave it to the ledger */
    s->next_scouting = begins && p->ledger.next_scouting > 0 ? MZ_SCOUT_AFTER : 0;
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
    bool is_task = p->ledger.is_task;
    if (p->refuses)
        return;
    if (!p->local.left_whole)
        mz__pool_save(p, true);
    mz_ledger_total(&p->ledger, &total);
    bool failed = total.problem_count > 0 && !p->search->options.all_errors; /* that has ended it */
    if (p->stops && !failed) {
        total.stopped = total.incomplete = true;
        mz_text_clear(&total.reason);
        mz_text_add(&total.reason, "%s", mz_text_string(&p->why));
    }
    if (is_task && !total.incomplete && total.problem_count == 0) {
        total.incomplete = true;
        mz_text_add(&total.reason, "this is a part of a search: mazurka merge puts it together");
    }
    mz_harvest_give(&total, p->search);
}

/* Somebody has a use for parts, or would see that there were some. */
static bool wants_parts(const mz_pool *p)
{
    const mz_pool_options *o = &p->options;
    return o->jobs > 1 || o->rank_count > 0 || o->save_every > 0 || o->stop_with_items > 0 || o->allowed ||
           p->algorithm->shows_parts;
}

/* Somebody is going to go on with what a search leaves that a limit has stopped. (After an interruption
 * somebody may in any case.) */
static bool wants_rest(const mz_pool_options *o)
{
    return o->save_every > 0 || o->saved || o->stop_with_items > 0 || o->rank_count > 0 || o->home;
}

mz_pool *mz_pool_run(const mz_pool_options *options, const mz_algorithm *algorithm, mz_search *search)
{
    mz_pool *p = mz_allocate_zeroed(1, sizeof *p);
    p->options = *options;
    p->algorithm = algorithm;
    p->search = search;
    p->limits = p->given = search->options.limits;
    p->begun = search->started;
    p->channel = -1;
    p->after_split = after_split;
    p->local.coarse = !wants_rest(options);
    if (p->options.jobs > MZ_POOL_MOST_WORKERS)
        p->options.jobs = MZ_POOL_MOST_WORKERS;
    if (p->options.split_every == 0 && wants_parts(p))
        p->options.split_every = p->options.usual_split;
    if (!mz_pool_parts(algorithm, &search->options, search->machine)) {
        mz_algorithm_run(algorithm, search);
        return p;
    }
    p->next_save = p->begun + p->options.save_every;
    /* What samples has no need of other executions at random, and those would not know what they may read. */
    bool scouts = search->next_scouting > 0 && !algorithm->samples && !algorithm->weak_memory;
    if (!p->options.saved)
        mz_ledger_begin(&p->ledger, scouts);
    else if (!mz__pool_restore(p))
        p->refuses = true;
    if (p->refuses)
        mz_search_stop(search, "what was saved cannot be read");
    if (!p->refuses && options->home)
        mz__worker_begin_away(p);
    while (!p->refuses && explore_next(p))
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
