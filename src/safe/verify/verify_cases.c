#include "safe/verify/verify_cases.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* ---- the list -------------------------------------------------------------------------------------------
 */

void mz_case_forget(mz_case *c)
{
    mz_plan_release(&c->plan);
    mz_plan_release(&c->counting);
    mz_extraction_release(&c->extraction);
    c->offered = false;
}

void mz_cases_release(mz_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        mz_case *c = &cases->items[i];
        mz_case_forget(c);
        mz_extraction_release(&c->current);
        mz_schedule_release(&c->first);
        mz_release(c->inputs);
    }
    mz_release(cases->items);
    *cases = (mz_cases){0};
}

mz_case *mz_cases_next(mz_cases *cases)
{
    mz_case next = {0};
    if (cases->count > 0) {
        const mz_case *last = &cases->items[cases->count - 1];
        next.inputs = mz_allocate_zeroed(last->input_count, sizeof *next.inputs);
        if (last->input_count > 0)
            memcpy(next.inputs, last->inputs, last->input_count * sizeof *next.inputs);
        next.input_count = mz_choices_next(next.inputs, last->input_count);
        cases->all_met = next.input_count == 0;
    }
    if (cases->all_met) {
        mz_release(next.inputs);
        return NULL;
    }
    cases->items = mz_grow(cases->items, &cases->capacity, cases->count + 1, sizeof *cases->items);
    next.searcher = cases->count;
    cases->items[cases->count] = next;
    return &cases->items[cases->count++];
}

bool mz_cases_are_too_many(const mz_cases *cases)
{
    size_t events = 0; /* of all traces */
    for (size_t i = 0; i < cases->count; i++) {
        const mz_case *c = &cases->items[i];
        events += c->first.length;
        for (size_t k = 0; k < c->input_count; k++) /* each value of an input is a case, at least */
            if (mz_range_last(c->inputs[k].low, c->inputs[k].high) >= MZ_MOST_CASES)
                return true;
    }
    return cases->count > MZ_MOST_CASES || events > MZ_MOST_CASE_EVENTS;
}

static void add_value(const mz_choice *choice, bool first, mz_text *out)
{
    mz_text_add(out, "%s%s=%" PRId64, first ? "" : ", ", choice->name ? choice->name : "?", choice->value);
}

void mz_case_describe(const mz_machine *machine, const mz_case *c, mz_text *out)
{
    bool first = true;
    for (size_t i = 0; i < c->input_count; i++, first = false)
        add_value(&c->inputs[i], first, out);
    size_t read = c->is_leaf && c->fixed > 0 ? c->first.choice_ends[c->fixed - 1] : 0;
    for (size_t i = c->first.initial_choices; i < read; i++)
        if (mz_is_input(machine, &c->first.choices[i])) {
            add_value(&c->first.choices[i], first, out);
            first = false;
        }
}

bool mz_cases_are_offered(const mz_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        if (!cases->items[i].offered)
            return false;
    return cases->all_met && cases->count > 0;
}

uint64_t mz_cases_traces(const mz_cases *cases)
{
    uint64_t all = 0;
    for (size_t i = 0; i < cases->count; i++)
        all += cases->items[i].traces;
    return all;
}

static bool begin_alike(const mz_case *c, const mz_case *d, size_t events);

/* Leaves of one strategy are parts of one search. */
double mz_cases_share(const mz_cases *cases)
{
    double sum = 0;
    size_t valuations = 0;
    for (size_t i = 0; i < cases->count; valuations++) {
        const mz_case *first = &cases->items[i];
        double share = first->share;
        for (i++; i < cases->count && begin_alike(first, &cases->items[i], 0); i++)
            share += cases->items[i].share;
        sum += share < 1 ? share : 1;
    }
    return sum / (double)valuations;
}

/* ---- leaves of strategies -------------------------------------------------------------------------------
 */

static void become_leaf(mz_case *c, const mz_machine *machine, mz_schedule *leaf, uint32_t restarts)
{
    mz_schedule_release(&c->first);
    c->first = *leaf;
    *leaf = (mz_schedule){0};
    mz_release(c->inputs);
    c->input_count = c->first.initial_choices;
    c->inputs = mz_allocate_zeroed(c->input_count, sizeof *c->inputs);
    for (size_t i = 0; i < c->input_count; i++)
        c->inputs[i] = c->first.choices[i];
    c->is_leaf = true;
    c->fixed = (uint32_t)mz_schedule_last_read(machine, &c->first, SIZE_MAX);
    c->restarts = restarts;
}

void mz_cases_branch(mz_cases *cases, const mz_machine *machine, size_t at, mz_strategy *strategy,
                     uint32_t restarts)
{
    cases->items =
        mz_grow(cases->items, &cases->capacity, cases->count + strategy->count, sizeof *cases->items);
    become_leaf(&cases->items[at], machine, &strategy->leaves[0], restarts);
    for (size_t i = 1; i < strategy->count; i++) {
        mz_case *other = &cases->items[cases->count];
        *other = (mz_case){.searcher = cases->count};
        become_leaf(other, machine, &strategy->leaves[i], restarts);
        cases->count++;
    }
    mz_strategy_release(strategy);
}

static bool has_same_choices(const mz_case *c, const mz_case *d, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c->first.choices[i].value != d->first.choices[i].value)
            return false;
    return true;
}

/* Are they the same in their first so many events, with all that is chosen in them? What they choose when all
 * before is the same they both choose. */
static bool begin_alike(const mz_case *c, const mz_case *d, size_t events)
{
    if (!c->is_leaf || !d->is_leaf || c->first.length < events || d->first.length < events ||
        c->first.initial_choices != d->first.initial_choices)
        return false;
    size_t choices = events > 0 ? c->first.choice_ends[events - 1] : c->first.initial_choices;
    size_t others = events > 0 ? d->first.choice_ends[events - 1] : d->first.initial_choices;
    return choices == others && has_same_choices(c, d, choices) &&
           (events == 0 ||
            memcmp(c->first.threads, d->first.threads, events * sizeof *c->first.threads) == 0);
}

void mz_cases_join(mz_cases *cases, const mz_machine *machine, const mz_case *c)
{
    uint32_t fixed = c->fixed;
    mz_case *leader = NULL;
    if (!c->is_leaf || fixed == 0)
        return;
    for (size_t i = 0; i < cases->count; i++) {
        mz_case *other = &cases->items[i];
        if (other->searcher != i || !begin_alike(c, other, fixed - 1))
            continue;
        if (!other->complete || other->fixed != fixed)
            return;
        leader = leader ? leader : other; /* the lowest value comes first */
    }
    size_t number = (size_t)(leader - cases->items);
    for (size_t i = 0; i < cases->count; i++) {
        mz_case *other = &cases->items[i];
        if (other->searcher != i || other == leader || !begin_alike(leader, other, fixed - 1))
            continue;
        other->searcher = number;
        other->led_from = fixed;
    }
    leader->fixed = (uint32_t)mz_schedule_last_read(machine, &leader->first, fixed);
    leader->complete = leader->done = false;
}

/* Who has verified most for it, and how short its prefix is by that. */
const mz_case *mz_case_led_by(const mz_cases *cases, const mz_case *c)
{
    const mz_case *leader = &cases->items[c->searcher];
    if (leader == c)
        return c;
    const mz_case *last = mz_case_led_by(cases, leader);
    return last->prefix < c->led_from ? last : c;
}
