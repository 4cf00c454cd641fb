/* Workers elsewhere, as the coordinator sees them: channels to their agents. */
#include <unistd.h>

#include "base/memory.h"
#include "pool/coordinator.h"

/* A number that no job had before, of whoever has coordinated. */
static uint64_t new_number(void)
{
    static uint64_t count;
    return ((uint64_t)getpid() << 32 | ++count) + ((uint64_t)(mz_seconds_now() * 1000) << 16);
}

/* An item of the epoch may refer to its memory, and to nothing else of what was found. */
static void write_job(const mz__coordinator *c, mz_bytes *out)
{
    const mz_pool *p = c->pool;
    mz_pool_state state = {
        .epoch = p->local.epoch, .narrows = p->search->options.narrows, .memory = p->local.memory};
    mz_bytes bytes = {0}, job = {0};
    mz_pool_state_write(&state, &bytes);
    p->options.write_job(p->options.save_context, &bytes, &job);
    mz_bytes_add_number(out, c->job);
    mz_bytes_add_number(out, p->options.split_every);
    mz_bytes_add_block(out, &job);
    mz_bytes_release(&job);
    mz_bytes_release(&bytes);
}

void mz__ranks_begin(mz__coordinator *c)
{
    const mz_pool_options *o = &c->pool->options;
    mz_bytes bytes = {0};
    if (o->rank_count == 0 || !o->write_job)
        return;
    c->job = new_number();
    write_job(c, &bytes);
    for (uint32_t i = 0; i < o->rank_count && c->count < MZ_POOL_MOST_WORKERS; i++)
        if (mz_channel_send(o->ranks[i], MZ_MESSAGE_JOB, &bytes))
            c->workers[c->count++] = (mz__worker){.state = MZ__BEGINNING, .channel = o->ranks[i]};
    mz_bytes_release(&bytes);
}

/* The channel stays: a successor may send it another job. */
void mz__rank_lost(mz__coordinator *c, mz__worker *w)
{
    if (w->lease)
        mz_ledger_put_back(&c->pool->ledger, w->lease);
    *w = (mz__worker){0};
}

bool mz__ranks_are_beginning(const mz__coordinator *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->workers[i].state == MZ__BEGINNING)
            return true;
    return false;
}

static void note_progress(mz__coordinator *c, const mz__worker *w)
{
    mz_byte_reader r = {.data = c->bytes.data, .length = c->bytes.length};
    mz_worker_line *line = &c->pool->shared->workers[w - c->workers];
    line->traces = mz_read_number(&r);
    line->events = mz_read_number(&r);
}

bool mz__ranks_hear(mz__coordinator *c, mz__worker *w, mz_message_kind kind)
{
    mz_byte_reader r = {.data = c->bytes.data, .length = c->bytes.length};
    if (kind == MZ_MESSAGE_READY && mz_read_number(&r) == c->job)
        w->state = MZ__AWAY;
    if (kind == MZ_MESSAGE_READY || w->state == MZ__BEGINNING)
        return true;
    if (kind == MZ_MESSAGE_PROGRESS)
        note_progress(c, w);
    else if (kind == MZ_MESSAGE_AT_HOME) {
        if (w->lease)
            w->lease->at_home = true;
        mz__rank_lost(c, w);
    } else
        return false;
    return true;
}

/* Somebody who wants all to end now (mpirun gives processes a second) waits less than a limit does. */
void mz__ranks_give_up(mz__coordinator *c, double now)
{
    const volatile sig_atomic_t *interrupted = c->pool->limits.interrupted;
    double patience = interrupted && *interrupted ? 0.3 : 2;
    if (c->stopped_at == 0 || now - c->stopped_at < patience)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        if (mz__is_away(&c->workers[i]))
            mz__rank_lost(c, &c->workers[i]);
}
