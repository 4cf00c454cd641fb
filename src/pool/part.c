/* One item, explored in a search of its own, by whoever has it. */
#include "pool/pool_internal.h"
#include "search/scout.h"

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
    s->after_split = p->after_split;
    s->split_context = p;
    p->epoch = p->local.epoch;
    p->local.count = 0;
    if (s->machine->class->begin_search)
        s->machine->class->begin_search(s->machine);
    if (item->form == MZ_ITEM_SCOUTING) {
        scout(s, item);
        return;
    }
    mz_frontier_search(&p->local, s, p->algorithm->run, item);
    s->frontier = NULL;
    s->item = NULL;
}

bool mz__has_new_boundaries(const mz_pool *p)
{
    bool in_one_piece = p->role == MZ__ALONE && p->ledger.done.count + p->ledger.waiting.count == 0;
    return p->search->machine->has_boundaries && !in_one_piece;
}
