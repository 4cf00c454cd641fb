#include "algo/sections/least_words.h"

#include <assert.h>
#include <string.h>

#define BIT(number) (UINT64_C(1) << (number))
#define FIRST(set)  ((uint32_t)__builtin_ctzll(set))

/* ---- the system, renumbered ------------------------------------------------------------------------- */

static void number_events(mz_least_words *l, const mz_constraints *c, uint32_t *number)
{
    mz_threads threads = MZ_NO_THREADS;
    for (uint32_t e = 0; e < c->event_count; e++)
        threads |= mz_threads_of(c->threads[e]);
    l->count = 0;
    MZ_FOR_EACH_THREAD(t, threads)
    {
        l->of_thread[t] = 0;
        for (uint32_t e = 0; e < c->event_count; e++) {
            if (c->threads[e] != t)
                continue;
            number[e] = l->count;
            l->event[l->count] = e;
            l->thread[l->count] = t;
            l->of_thread[t] |= BIT(l->count++);
        }
    }
}

static uint64_t renumbered(const mz_constraints *c, const uint64_t *rows, uint32_t event,
                           const uint32_t *number)
{
    uint64_t row = 0;
    MZ_FOR_EACH_EVENT(e, mz_constraints_row(c, rows, event), c->word_count)
    {
        row |= BIT(number[e]);
    }
    return row;
}

/* The next events of the threads whose fixed predecessors are in the word. */
static uint64_t ready_events(const mz_least_words *l)
{
    uint64_t ready = 0;
    for (uint64_t left = l->rest; left; left &= ~l->of_thread[l->thread[FIRST(left)]])
        if (!(l->before[FIRST(left)] & l->rest))
            ready |= BIT(FIRST(left));
    return ready;
}

void mz_least_words_start(mz_least_words *l, const mz_constraints *c)
{
    uint32_t number[MZ_MOST_LETTERS];
    assert(c->event_count <= MZ_MOST_LETTERS);
    number_events(l, c, number);
    for (uint32_t i = 0; i < l->count; i++) {
        l->conflicts[i] = renumbered(c, c->conflicts, l->event[i], number);
        l->before[i] = renumbered(c, c->before, l->event[i], number);
        l->after[i] = renumbered(c, c->after, l->event[i], number);
    }
    l->causes = false;
    for (uint32_t i = 0; i < l->count; i++)
        l->causes |= (l->before[i] & ~l->of_thread[l->thread[i]]) != 0;
    l->length = 0;
    l->begun = false;
    l->rest = l->count < 64 ? BIT(l->count) - 1 : UINT64_MAX;
    l->nodes[0] = (mz_word_node){.ready = ready_events(l)};
}

/* ---- how a word goes on ----------------------------------------------------------------------------- */

static uint64_t conflicts_of(mz_least_words *l, uint32_t number)
{
    l->dependency_checks++;
    return l->conflicts[number];
}

/* What happens at a node when one event after the other is passed over, and falls asleep. */
typedef struct passing {
    uint64_t passed;                     /* so far */
    uint64_t neighbours;                 /* in conflict with them */
    bool simple;                         /* nothing that sleeps has events of its thread behind it */
    uint64_t conflicts[MZ_MOST_LETTERS]; /* of those that were passed over */
} passing;

/* Of the sleeping events those that none of the available ones wakes. */
static uint64_t not_woken(mz_least_words *l, const passing *p, uint64_t asleep, uint64_t available)
{
    uint64_t left = 0;
    for (; asleep; asleep &= asleep - 1) {
        uint32_t number = FIRST(asleep);
        uint64_t conflicts = p->passed & BIT(number) ? p->conflicts[number] : conflicts_of(l, number);
        if (!(conflicts & available))
            left |= BIT(number);
    }
    return left;
}

/* Can the rest of the events, without `chosen`, be ordered so that each sleeping one is woken? */
static bool can_all_be_woken(mz_least_words *l, const passing *p, uint64_t asleep, uint32_t chosen)
{
    while (asleep) {
        uint64_t available = l->rest & ~BIT(chosen) & ~asleep;
        for (uint64_t left = asleep; left; left &= left - 1)
            available &= ~l->after[FIRST(left)];
        uint64_t remain = not_woken(l, p, asleep, available);
        if (remain == asleep)
            return false;
        asleep = remain;
    }
    return true;
}

/* The same question, knowing that all that slept when the node was entered can be woken. That some have been
 * passed over since, and that `chosen` is taken away, matters to them only if they have one of those as
 * neighbour (they have no conflict with `chosen`). If these, and those passed over, find one to wake them
 * that does not sleep, all can be woken as before. */
static bool can_still_be_woken(mz_least_words *l, const passing *p, uint64_t asleep, uint32_t chosen)
{
    uint64_t available = l->rest & ~BIT(chosen) & ~asleep;
    uint64_t affected = asleep & (p->passed | p->neighbours);
    return (p->simple && !not_woken(l, p, affected, available)) || can_all_be_woken(l, p, asleep, chosen);
}

static uint64_t children_of(mz_least_words *l)
{
    mz_word_node *node = &l->nodes[l->length];
    uint64_t children = 0;
    passing p; /* its rows need no clearing: those of the passed are set */
    p.passed = p.neighbours = 0;
    p.simple = true;
    for (uint64_t sleepers = node->asleep; sleepers; sleepers &= sleepers - 1)
        p.simple &= !(l->after[FIRST(sleepers)] & l->rest);
    for (uint64_t awake = node->ready & ~node->asleep; awake; awake &= awake - 1) {
        uint32_t number = FIRST(awake);
        uint64_t conflicts = conflicts_of(l, number), asleep = (node->asleep | p.passed) & ~conflicts;
        if (can_still_be_woken(l, &p, asleep, number)) {
            children |= BIT(number);
            l->asleep_after[l->length][number] = asleep;
        }
        if (!(conflicts & l->rest))
            break; /* nothing could wake it: it cannot come later */
        p.passed |= BIT(number);
        p.neighbours |= conflicts;
        p.conflicts[number] = conflicts;
        p.simple &= !(l->after[number] & l->rest);
    }
    return children;
}

/* `number` is one of the children. */
static void down(mz_least_words *l, uint32_t number)
{
    const mz_word_node *node = &l->nodes[l->length];
    uint64_t ready = node->ready & ~BIT(number);
    l->rest &= ~BIT(number);
    if (l->causes)
        ready = ready_events(l);
    else if (number + 1 < l->count && l->thread[number + 1] == l->thread[number])
        ready |= BIT(number + 1);
    uint64_t asleep = l->asleep_after[l->length][number];
    l->word[l->length++] = l->event[number];
    l->nodes[l->length] = (mz_word_node){.ready = ready, .asleep = asleep};
}

static uint32_t number_at(const mz_least_words *l, uint32_t letter)
{
    uint64_t ready = l->nodes[letter].ready & ~l->nodes[letter + 1].ready;
    return FIRST(ready);
}

mz_threads mz_least_words_children(mz_least_words *l)
{
    mz_threads threads = MZ_NO_THREADS;
    for (uint64_t children = children_of(l); children; children &= children - 1)
        threads |= mz_threads_of(l->thread[FIRST(children)]);
    return threads;
}

void mz_least_words_down(mz_least_words *l, uint32_t thread)
{
    down(l, FIRST(l->rest & l->of_thread[thread]));
}

void mz_least_words_up(mz_least_words *l)
{
    l->length--;
    l->rest |= BIT(number_at(l, l->length));
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
        l->nodes[l->length].children = children_of(l);
    }
    *shared = l->length;
    while (l->length < l->count) {
        mz_word_node *node = &l->nodes[l->length];
        assert(node->children); /* no dead end */
        uint32_t number = FIRST(node->children);
        node->children &= node->children - 1;
        down(l, number);
        l->nodes[l->length].children = children_of(l);
    }
    return true;
}
