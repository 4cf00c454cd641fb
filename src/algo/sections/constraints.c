#include "algo/sections/constraints.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "machine/threads.h"

/* The functions that work on rows are written for any number of words and compiled once more for one: up to
 * 64 events a row is a register. */
#define ROWS static inline __attribute__((always_inline))

void mz_constraints_clear(mz_constraints *c)
{
    c->event_count = c->word_count = 0;
    c->fixed_count = c->constraint_count = c->decision_count = c->log_length = 0;
    c->begun = false;
    c->solutions = 0;
}

void mz_constraints_release(mz_constraints *c)
{
    mz_release(c->threads);
    mz_release(c->fixed);
    mz_release(c->constraints);
    mz_release(c->before);
    mz_release(c->after);
    mz_release(c->conflicts);
    mz_release(c->decisions);
    mz_release(c->log);
    *c = (mz_constraints){0};
}

uint32_t mz_constraints_add_event(mz_constraints *c, uint32_t thread)
{
    c->threads = mz_grow(c->threads, &c->thread_capacity, c->event_count + 1, sizeof *c->threads);
    c->threads[c->event_count] = thread;
    for (uint32_t e = c->event_count; e-- > 0;)
        if (c->threads[e] == thread) {
            mz_constraints_add_fixed(c, e, c->event_count);
            break;
        }
    return c->event_count++;
}

void mz_constraints_add_fixed(mz_constraints *c, uint32_t before, uint32_t after)
{
    c->fixed = mz_grow(c->fixed, &c->fixed_capacity, c->fixed_count + 1, sizeof *c->fixed);
    c->fixed[c->fixed_count++] = (mz_constraint){before, after};
}

void mz_constraints_add(mz_constraints *c, uint32_t first, uint32_t second)
{
    assert(c->threads[first] != c->threads[second]);
    c->constraints =
        mz_grow(c->constraints, &c->constraint_capacity, c->constraint_count + 1, sizeof *c->constraints);
    c->constraints[c->constraint_count++] = (mz_constraint){first, second};
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static void set_bit(uint64_t *row, uint32_t event)
{
    row[event / 64] |= UINT64_C(1) << (event % 64);
}

/* row |= added and the bit of one event; what it was goes to the log. */
ROWS void extend_row(mz_constraints *c, uint64_t *rows, uint32_t event, const uint64_t *added, uint32_t one,
                     uint32_t words)
{
    uint64_t *row = rows + (size_t)event * words;
    if (mz_bit_of(row, one))
        return; /* the rows are closed: the rest of `added` is in it, too */
    uint64_t *entry = c->log + c->log_length;
    c->log_length += words + 1;
    entry[0] = 2 * (uint64_t)event + (rows == c->after);
    for (uint32_t w = 0; w < words; w++) {
        entry[1 + w] = row[w];
        row[w] |= added[w];
    }
    set_bit(row, one);
}

/* a before b, which are not ordered yet: whatever is before a, or a, is before whatever is after b, or b. */
ROWS void order_events(mz_constraints *c, uint32_t a, uint32_t b, uint32_t words)
{
    /* each row changes at most once */
    c->log = mz_grow(c->log, &c->log_capacity, c->log_length + 2 * (size_t)c->event_count * (words + 1),
                     sizeof *c->log);
    const uint64_t *before_a = c->before + (size_t)a * words, *after_b = c->after + (size_t)b * words;
    MZ_FOR_EACH_EVENT(e, before_a, words)
    {
        extend_row(c, c->after, e, after_b, b, words);
    }
    MZ_FOR_EACH_EVENT(f, after_b, words)
    {
        extend_row(c, c->before, f, before_a, a, words);
    }
    extend_row(c, c->after, a, after_b, b, words);
    extend_row(c, c->before, b, before_a, a, words);
}

ROWS void undo(mz_constraints *c, size_t log_mark, uint32_t words)
{
    while (c->log_length > log_mark) {
        c->log_length -= words + 1;
        const uint64_t *entry = c->log + c->log_length;
        uint64_t *row = (entry[0] & 1 ? c->after : c->before) + (entry[0] >> 1) * words;
        for (uint32_t w = 0; w < words; w++)
            row[w] = entry[1 + w];
    }
}

static bool is_ordered(const mz_constraints *c, uint32_t a, uint32_t b)
{
    return mz_constraints_is_before(c, a, b) || mz_constraints_is_before(c, b, a);
}

/* ---- deciding -------------------------------------------------------------------------------------- */

static uint64_t *cleared_rows(const mz_constraints *c, uint64_t *rows, size_t *capacity)
{
    size_t length = (size_t)c->event_count * c->word_count;
    rows = mz_grow(rows, capacity, length + 1, sizeof *rows); /* never NULL: offsets are added */
    memset(rows, 0, length * sizeof *rows);
    return rows;
}

/* Constraints between events that are ordered in any case, and those that are there already, drop out. */
static void keep_real_constraints(mz_constraints *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->constraint_count; i++) {
        mz_constraint pair = c->constraints[i];
        uint64_t *first = c->conflicts + (size_t)pair.first * c->word_count;
        uint64_t *second = c->conflicts + (size_t)pair.second * c->word_count;
        if (is_ordered(c, pair.first, pair.second) || mz_bit_of(first, pair.second))
            continue;
        set_bit(first, pair.second);
        set_bit(second, pair.first);
        c->constraints[kept++] = pair;
    }
    c->constraint_count = kept;
}

void mz_constraints_start(mz_constraints *c)
{
    c->word_count = (c->event_count + 63) / 64;
    c->before = cleared_rows(c, c->before, &c->before_capacity);
    c->after = cleared_rows(c, c->after, &c->after_capacity);
    c->conflicts = cleared_rows(c, c->conflicts, &c->conflicts_capacity);
    c->decision_count = c->log_length = 0;
    c->begun = false;
    c->solutions = 0;
    for (size_t i = 0; i < c->fixed_count; i++) {
        mz_constraint edge = c->fixed[i];
        assert(edge.first != edge.second && !mz_constraints_is_before(c, edge.second, edge.first));
        if (!mz_constraints_is_before(c, edge.first, edge.second))
            order_events(c, edge.first, edge.second, c->word_count);
        c->log_length = 0; /* this stays */
    }
    keep_real_constraints(c);
    c->decisions = mz_grow(c->decisions, &c->decision_capacity, c->constraint_count, sizeof *c->decisions);
}

/* Back to the last decision of which only the first direction was tried, and reverse it. */
ROWS bool reverse_last(mz_constraints *c, uint32_t words)
{
    while (c->decision_count > 0 && c->decisions[c->decision_count - 1].reversed)
        c->decision_count--;
    if (c->decision_count == 0)
        return false;
    mz_decision *last = &c->decisions[c->decision_count - 1];
    const mz_constraint *pair = &c->constraints[last->constraint];
    undo(c, last->log_mark, words);
    last->reversed = true;
    order_events(c, pair->second, pair->first, words);
    return true;
}

ROWS bool next_solution(mz_constraints *c, uint32_t words)
{
    size_t i = 0;
    if (c->begun) {
        if (!reverse_last(c, words))
            return false;
        i = c->decisions[c->decision_count - 1].constraint + 1;
    }
    c->begun = true;
    for (; i < c->constraint_count; i++) {
        const mz_constraint *pair = &c->constraints[i];
        if (is_ordered(c, pair->first, pair->second))
            continue; /* forced */
        c->decisions[c->decision_count++] = (mz_decision){i, c->log_length, false};
        order_events(c, pair->first, pair->second, words);
    }
    c->solutions++;
    return true;
}

bool mz_constraints_next(mz_constraints *c)
{
    return c->word_count == 1 ? next_solution(c, 1) : next_solution(c, c->word_count);
}

size_t mz_constraints_decide(mz_constraints *c, const bool *reversed)
{
    mz_constraints_start(c);
    for (size_t i = 0; i < c->constraint_count; i++) {
        mz_constraint pair = c->constraints[i];
        uint32_t before = reversed[i] ? pair.second : pair.first,
                 after = reversed[i] ? pair.first : pair.second;
        if (mz_constraints_is_before(c, after, before))
            return i;
        if (!mz_constraints_is_before(c, before, after))
            order_events(c, before, after, c->word_count);
    }
    return c->constraint_count;
}

uint64_t mz_constraints_avoided(const mz_constraints *c)
{
    return c->constraint_count < 64 ? (UINT64_C(1) << c->constraint_count) - c->solutions : UINT64_MAX;
}

/* ---- solutions ------------------------------------------------------------------------------------- */

void mz_constraints_least_word(const mz_constraints *c, uint32_t *word)
{
    uint32_t next[MZ_MAX_THREADS]; /* of each thread the first event not yet placed */
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        next[t] = UINT32_MAX;
    mz_threads left = MZ_NO_THREADS;
    for (uint32_t e = c->event_count; e-- > 0; left |= mz_threads_of(c->threads[e]))
        next[c->threads[e]] = e;
    /* An event can be placed if what is before it is: as many events as its row has bits. */
    uint64_t placed[c->word_count + 1];
    memset(placed, 0, sizeof placed);
    for (uint32_t length = 0; length < c->event_count;) {
        mz_threads tried = left;
        uint32_t e;
        bool held_back;
        do {
            assert(mz_threads_any(tried)); /* a partial order has a least element */
            e = next[mz_threads_first(tried)];
            const uint64_t *before = mz_constraints_row(c, c->before, e);
            held_back = false;
            for (uint32_t w = 0; w < c->word_count; w++)
                held_back |= (before[w] & ~placed[w]) != 0;
            tried = mz_threads_rest(tried);
        } while (held_back);
        word[length++] = e;
        set_bit(placed, e);
        uint32_t thread = c->threads[e];
        do
            e++;
        while (e < c->event_count && c->threads[e] != thread);
        if (e < c->event_count)
            next[thread] = e;
        else
            left &= ~mz_threads_of(thread);
    }
}
