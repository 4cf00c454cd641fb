/* What a pool saves, and goes on with. */
#include "pool/pool_internal.h"

void mz_pool_state_write(const mz_pool_state *state, mz_bytes *out)
{
    mz_bytes_add_number(out, state->epoch);
    mz_bytes_add_number(out, state->narrows);
    mz_bytes_add_block(out, &state->memory);
    mz_bytes_add_block(out, &state->testimony);
    mz_ledger_write(&state->ledger, out);
}

bool mz_pool_state_read(mz_byte_reader *r, mz_pool_state *state, mz_arena *names)
{
    *state = (mz_pool_state){.epoch = mz_read_number(r)};
    state->narrows = mz_read_number_to(r, 1);
    mz_read_block(r, &state->memory);
    mz_read_block(r, &state->testimony);
    if (!r->failed)
        mz_ledger_read(r, &state->ledger, names);
    if (r->failed)
        mz_pool_state_release(state);
    return !r->failed;
}

void mz_pool_state_release(mz_pool_state *state)
{
    mz_bytes_release(&state->memory);
    mz_bytes_release(&state->testimony);
    mz_ledger_release(&state->ledger);
    *state = (mz_pool_state){0};
}

/* Where something was lost, nobody could go on. */
static bool is_lost(const mz_ledger *l)
{
    for (size_t i = 0; i < l->done.count; i++)
        if (l->done.items[i]->harvest.lost)
            return true;
    return l->leased.count > 0;
}

void mz__pool_save(mz_pool *p, bool is_over)
{
    if (!p->options.save || is_lost(&p->ledger))
        return;
    const mz_pool_program *program = &p->options.program;
    mz_pool_state state = {.epoch = p->local.epoch,
                           .narrows = p->search->options.narrows,
                           .memory = p->local.memory,
                           .ledger = p->ledger};
    mz_bytes bytes = {0};
    if (program->testify)
        program->testify(program->context, &state.testimony);
    mz_pool_state_write(&state, &bytes);
    p->options.save(p->options.save_context, &bytes, is_over);
    mz_bytes_release(&state.testimony);
    mz_bytes_release(&bytes);
    p->next_save = mz_seconds_now() + p->options.save_every;
}

bool mz__pool_is_save_due(const mz_pool *p)
{
    return p->options.save && p->options.save_every > 0 && mz_seconds_now() >= p->next_save;
}

bool mz__pool_restore(mz_pool *p)
{
    const mz_pool_program *program = &p->options.program;
    mz_byte_reader r = {.data = p->options.saved->data, .length = p->options.saved->length};
    mz_pool_state state;
    if (!mz_pool_state_read(&r, &state, &p->names))
        return false;
    mz_byte_reader words = {.data = state.testimony.data, .length = state.testimony.length};
    if (program->hear && words.length > 0)
        program->hear(program->context, MZ_POOL_NOBODY, &words);
    p->search->options.narrows = p->search->choices.narrows = state.narrows;
    p->search->machine->refined = 0; /* what preparing has noted is in what was saved, if it still holds */
    p->local.epoch = state.epoch;
    p->local.memory = state.memory;
    p->ledger = state.ledger;
    mz_bytes_release(&state.testimony);
    return true;
}
