/* A state's summary is what is pending in it, and the summaries of the states that were found to follow.
 * Depth first, these are complete when the search leaves the state, unless a cycle leads back to a state that
 * it has not left yet. Then the state stays open: what is beyond is not all known. The first state of the
 * cycle is complete again, because all that can be reached from it was explored below it; if what it reached
 * was open, this is no longer certain, and it is taken to be open itself. */
#include "algo/dpor/summaries.h"

#include <string.h>

#include "base/memory.h"

void mz_summaries_init(mz_summaries *s, const mz_machine *machine)
{
    *s = (mz_summaries){.thread_count = machine->thread_capacity, .location_count = machine->location_count};
    s->words = (size_t)s->thread_count * s->location_count * 2 / 64 + 1;
}

void mz_summaries_release(mz_summaries *s)
{
    mz_map_release(&s->numbers);
    mz_release(s->states);
    mz_release(s->bits);
    mz_release(s->path);
}

/* The number of the state; it is a new one if that is the number of states. */
static uint32_t number_of(mz_summaries *s, mz_hash hash)
{
    bool is_new;
    mz_known_state *known = mz_map_at(&s->numbers, sizeof *known, hash, &is_new);
    if (is_new)
        known->number = (uint32_t)s->state_count;
    return known->number;
}

/* ---- the path --------------------------------------------------------------------------------------------
 */

/* The search has left the last state of the path. */
static void leave_last(mz_summaries *s)
{
    uint32_t depth = (uint32_t)--s->path_length;
    mz_path_state *left = &s->path[depth];
    mz_visited_state *state = &s->states[left->state];
    if (left->owned) {
        state->on_path = false;
        state->open = left->low < depth;
    }
    if (depth == 0)
        return;
    mz_path_state *before = &s->path[depth - 1];
    uint64_t *all = s->bits + before->state * s->words;
    const uint64_t *more = s->bits + left->state * s->words;
    for (size_t i = 0; i < s->words; i++)
        all[i] |= more[i];
    if (left->low < before->low)
        before->low = left->low;
}

mz_arrival mz_summaries_arrive(mz_summaries *s, size_t at_depth, mz_hash hash, size_t *depth)
{
    while (s->path_length > at_depth)
        leave_last(s);
    uint32_t number = number_of(s, hash);
    bool is_new = number == s->state_count;
    if (is_new) {
        s->states = mz_grow(s->states, &s->state_capacity, s->state_count + 1, sizeof *s->states);
        s->bits = mz_grow(s->bits, &s->bit_capacity, (s->state_count + 1) * s->words, sizeof *s->bits);
        memset(s->bits + s->state_count * s->words, 0, s->words * sizeof *s->bits);
        s->states[s->state_count++] = (mz_visited_state){.depth = (uint32_t)at_depth, .on_path = true};
    }
    const mz_visited_state *state = &s->states[number];
    bool cycle = !is_new && state->on_path, open = !is_new && state->open;
    uint32_t low = cycle ? state->depth : open ? 0 : (uint32_t)at_depth;
    *depth = state->depth;
    s->path = mz_grow(s->path, &s->path_capacity, at_depth + 1, sizeof *s->path);
    s->path[s->path_length++] = (mz_path_state){.state = number, .owned = is_new, .low = low};
    return is_new  ? MZ_ARRIVAL_NEW
           : cycle ? MZ_ARRIVAL_ON_PATH
           : open  ? MZ_ARRIVAL_OPEN
                   : MZ_ARRIVAL_FINISHED;
}

/* ---- what is in a summary --------------------------------------------------------------------------------
 */

void mz_summaries_add(mz_summaries *s, uint32_t thread, const mz_operation *pending)
{
    uint64_t *bits = s->bits + s->path[s->path_length - 1].state * s->words;
    for (uint32_t i = 0; i < pending->access_count; i++) {
        mz_access a = pending->accesses[i];
        size_t bit = ((size_t)a.location * s->thread_count + thread) * 2 + !!(a.kind & MZ_WRITE);
        bits[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

void mz_summaries_each(const mz_summaries *s, void (*each)(void *, uint32_t, mz_access), void *context)
{
    const uint64_t *bits = s->bits + s->path[s->path_length - 1].state * s->words;
    for (size_t word = 0; word < s->words; word++)
        for (uint64_t rest = bits[word]; rest; rest &= rest - 1) {
            size_t bit = word * 64 + (size_t)__builtin_ctzll(rest);
            each(context, (uint32_t)(bit / 2 % s->thread_count),
                 (mz_access){.location = (uint32_t)(bit / 2 / s->thread_count),
                             .kind = bit & 1 ? MZ_WRITE : MZ_READ});
        }
}
