#include "explore/least_words.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* Compiled for rows of one word, and for any: see constraints.c. */
#define ROWS static inline __attribute__((always_inline))

static void set_bit(uint64_t *row, uint32_t event)
{
    row[event / 64] |= UINT64_C(1) << (event % 64);
}

static void clear_bit(uint64_t *row, uint32_t event)
{
    row[event / 64] &= ~(UINT64_C(1) << (event % 64));
}

static bool in_conflict(const mz_constraints *c, uint32_t a, uint32_t b)
{
    return mz_bit_of(mz_constraints_row(c, c->conflicts, a), b);
}

/* Is everything that is fixed to come before the event in the word? */
static bool is_ready(const mz_least_words *l, uint32_t event)
{
    const uint64_t *before = mz_constraints_row(l->system, l->system->before, event);
    for (uint32_t w = 0; w < l->system->word_count; w++)
        if (before[w] & l->rest[w])
            return false;
    return true;
}

static mz_threads ready_among(const mz_least_words *l, mz_threads threads)
{
    mz_threads ready = 0;
    MZ_FOR_EACH_THREAD(t, threads)
    {
        if (is_ready(l, l->next[t]))
            ready |= mz_threads_of(t);
    }
    return ready;
}

void mz_least_words_start(mz_least_words *l, const mz_constraints *c)
{
    uint32_t n = c->event_count, words = c->word_count;
    l->system = c;
    l->length = 0;
    l->begun = false;
    l->unfinished = 0;
    l->word = mz_grow(l->word, &l->word_capacity, n + 1, sizeof *l->word);
    l->nodes = mz_grow(l->nodes, &l->node_capacity, n + 1, sizeof *l->nodes);
    l->rest = mz_grow(l->rest, &l->rest_capacity, words + 1, sizeof *l->rest);
    l->available = mz_grow(l->available, &l->available_capacity, words + 1, sizeof *l->available);
    l->successor = mz_grow(l->successor, &l->successor_capacity, n + 1, sizeof *l->successor);
    memset(l->rest, 0, (words + 1) * sizeof *l->rest);
    for (uint32_t e = n; e-- > 0;) {
        uint32_t thread = c->threads[e];
        bool last = !mz_threads_has(l->unfinished, thread);
        l->successor[e] = last ? UINT32_MAX : l->next[thread];
        l->next[thread] = e;
        l->unfinished |= mz_threads_of(thread);
        set_bit(l->rest, e);
    }
    l->causes =
        c->fixed_count + mz_threads_count(l->unfinished) > n; /* program order: one edge less per thread */
    l->nodes[0] = (mz_word_node){.ready = ready_among(l, l->unfinished)};
}

void mz_least_words_release(mz_least_words *l)
{
    mz_release(l->word);
    mz_release(l->nodes);
    mz_release(l->rest);
    mz_release(l->available);
    mz_release(l->successor);
    *l = (mz_least_words){0};
}

/* Has the event a constraint to one that is left and not fixed to come after it? */
ROWS bool can_be_woken(const mz_least_words *l, uint32_t event, uint32_t words)
{
    const uint64_t *conflicts = l->system->conflicts + (size_t)event * words;
    for (uint32_t w = 0; w < words; w++) /* what is fixed to come after it has no constraint to it */
        if (conflicts[w] & l->rest[w])
            return true;
    return false;
}

/* Those of the sleeping that none of the available events wakes. */
ROWS mz_threads not_woken(const mz_least_words *l, mz_threads asleep, uint32_t words)
{
    mz_threads left = 0;
    MZ_FOR_EACH_THREAD(t, asleep)
    {
        const uint64_t *conflicts = l->system->conflicts + (size_t)l->next[t] * words;
        bool woken = false;
        for (uint32_t w = 0; w < words; w++)
            woken |= (conflicts[w] & l->available[w]) != 0;
        if (!woken)
            left |= mz_threads_of(t);
    }
    return left;
}

/* Can the rest of the events, without `chosen`, be ordered so that each sleeping one is woken? */
ROWS bool can_all_be_woken(mz_least_words *l, mz_threads asleep, uint32_t chosen, uint32_t words)
{
    while (asleep) {
        for (uint32_t w = 0; w < words; w++)
            l->available[w] = l->rest[w];
        clear_bit(l->available, chosen);
        MZ_FOR_EACH_THREAD(t, asleep)
        {
            const uint64_t *after = l->system->after + (size_t)l->next[t] * words;
            for (uint32_t w = 0; w < words; w++)
                l->available[w] &= ~after[w];
            clear_bit(l->available, l->next[t]);
        }
        mz_threads left = not_woken(l, asleep, words);
        if (left == asleep)
            return false;
        asleep = left;
    }
    return true;
}

/* Of these threads, those whose next event stays asleep when the event happens. */
static mz_threads still_asleep(const mz_least_words *l, mz_threads asleep, uint32_t event)
{
    mz_threads still = asleep;
    MZ_FOR_EACH_THREAD(t, asleep)
    {
        if (in_conflict(l->system, event, l->next[t]))
            still &= ~mz_threads_of(t);
    }
    return still;
}

ROWS mz_threads children_of(mz_least_words *l, uint32_t words)
{
    const mz_word_node *node = &l->nodes[l->length];
    mz_threads children = 0, asleep = node->asleep;
    MZ_FOR_EACH_THREAD(t, node->ready & ~node->asleep)
    {
        uint32_t event = l->next[t];
        if (can_all_be_woken(l, still_asleep(l, asleep, event), event, words))
            children |= mz_threads_of(t);
        if (!can_be_woken(l, event, words))
            break; /* nothing can come before it */
        asleep |= mz_threads_of(t);
    }
    return children;
}

mz_threads mz_least_words_children(mz_least_words *l)
{
    return l->system->word_count == 1 ? children_of(l, 1) : children_of(l, l->system->word_count);
}

void mz_least_words_down(mz_least_words *l, uint32_t thread)
{
    const mz_word_node *node = &l->nodes[l->length];
    mz_threads self = mz_threads_of(thread), lower = node->ready & (self - 1);
    uint32_t event = l->next[thread];
    mz_threads asleep = still_asleep(l, (node->asleep | lower) & ~self, event);
    mz_threads ready = node->ready & ~self;
    clear_bit(l->rest, event);
    if (l->successor[event] == UINT32_MAX)
        l->unfinished &= ~self;
    else
        l->next[thread] = l->successor[event];
    if (l->causes)
        ready |= ready_among(l, l->unfinished & ~ready);
    else
        ready |= l->unfinished & self;
    l->word[l->length++] = event;
    l->nodes[l->length] = (mz_word_node){.ready = ready, .asleep = asleep};
}

void mz_least_words_up(mz_least_words *l)
{
    uint32_t event = l->word[--l->length], thread = l->system->threads[event];
    set_bit(l->rest, event);
    l->next[thread] = event;
    l->unfinished |= mz_threads_of(thread);
}

bool mz_least_words_next(mz_least_words *l, uint32_t *shared)
{
    if (l->begun) {
        do {
            if (l->length == 0)
                return false;
            mz_least_words_up(l);
        } while (!l->nodes[l->length].children);
    } else {
        l->begun = true;
        l->nodes[0].children = mz_least_words_children(l);
    }
    *shared = l->length;
    while (l->length < l->system->event_count) {
        mz_word_node *node = &l->nodes[l->length];
        uint32_t thread = mz_threads_first(node->children);
        assert(node->children); /* no dead end */
        node->children &= ~mz_threads_of(thread);
        mz_least_words_down(l, thread);
        l->nodes[l->length].children = mz_least_words_children(l);
    }
    return true;
}
