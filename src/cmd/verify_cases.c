#include "cmd/verify_cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "enforce/guards.h"

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
    cases->items[cases->count] = next;
    return &cases->items[cases->count++];
}

bool mz_cases_are_too_many(const mz_cases *cases)
{
    enum { MOST_CASES = 4096, MOST_EVENTS = 2000000 };
    size_t events = 0; /* of all traces */
    for (size_t i = 0; i < cases->count; i++) {
        const mz_case *c = &cases->items[i];
        events += c->first.length;
        for (size_t k = 0; k < c->input_count; k++) /* each value of an input is a case, at least */
            if (c->inputs[k].high - c->inputs[k].low >= MOST_CASES)
                return true;
    }
    return cases->count > MOST_CASES || events > MOST_EVENTS;
}

void mz_case_describe(const mz_case *c, mz_text *out)
{
    for (size_t i = 0; i < c->input_count; i++)
        mz_text_add(out, "%s%s=%" PRId64, i ? ", " : "", c->inputs[i].name ? c->inputs[i].name : "?",
                    c->inputs[i].value);
}

bool mz_cases_are_offered(const mz_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        if (!cases->items[i].offered)
            return false;
    return cases->all_met && cases->count > 0;
}

/* ---- equal plans ----------------------------------------------------------------------------------------
 */

static bool is_same_event(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    return e->thread == f->thread && e->count == f->count && e->kind == f->kind && e->picks == f->picks;
}

uint32_t mz_plans_common(const mz_plan *a, const mz_plan *b)
{
    uint32_t i = 0;
    while (i < a->length && i < b->length && is_same_event(a, b, i))
        i++;
    return i;
}

static bool has_same_waits(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    return e->wait_count == f->wait_count &&
           (e->wait_count == 0 || memcmp(&a->waits[e->first_wait], &b->waits[f->first_wait],
                                         e->wait_count * sizeof *a->waits) == 0);
}

static bool have_same_threads(const mz_plan *a, const mz_plan *b)
{
    if (a->thread_count != b->thread_count)
        return false;
    for (uint32_t t = 1; t < a->thread_count; t++)
        if (a->threads[t].parent != b->threads[t].parent || a->threads[t].child != b->threads[t].child)
            return false;
    return true;
}

/* Each thread's first event beyond the prefix: where it has to wait for all of that. 0: none. */
static void find_followers(const mz_plan *plan, uint32_t prefix, uint32_t *counts)
{
    memset(counts, 0, MZ_PLAN_MOST_THREADS * sizeof *counts);
    for (size_t i = prefix; i < plan->event_count; i++)
        if (counts[plan->events[i].thread] == 0)
            counts[plan->events[i].thread] = plan->events[i].count;
}

/* Do they ask the same of an execution? What follows the prefix does not matter, but for where it begins; nor
 * does which variable it is that an event touches: that is only checked, and is not when it depends on the
 * inputs. */
static bool are_alike(const mz_plan *a, const mz_plan *b, uint32_t prefix)
{
    uint32_t followers[2][MZ_PLAN_MOST_THREADS];
    if (prefix == 0)
        return true;
    if (prefix > a->length || prefix > b->length || !have_same_threads(a, b))
        return false;
    for (uint32_t i = 0; i < prefix; i++)
        if (!is_same_event(a, b, i) || !has_same_waits(a, b, i))
            return false;
    find_followers(a, prefix, followers[0]);
    find_followers(b, prefix, followers[1]);
    return memcmp(followers[0], followers[1], sizeof followers[0]) == 0;
}

/* ---- all together ---------------------------------------------------------------------------------------
 */

mz_plan *mz_case_plan(mz_case *c, bool counts_accesses)
{
    return counts_accesses && !c->plan.counts_accesses ? &c->counting : &c->plan;
}

static bool has_same_place(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    if (e->place == MZ_PLAN_NOWHERE || f->place == MZ_PLAN_NOWHERE)
        return e->place == f->place;
    return strcmp(a->places[e->place], b->places[f->place]) == 0;
}

/* The plan is for another case, too: what depends on the inputs is no part of it. (Of a constraint set that
 * was found out when it was verified for all of them.) */
static void blur(mz_plan *plan, const mz_plan *other)
{
    if (plan->edges_only)
        return;
    for (uint32_t i = 0; i < plan->length && i < other->length && is_same_event(plan, other, i); i++) {
        mz_plan_event *event = &plan->events[i];
        if (!has_same_place(plan, other, i))
            event->place = MZ_PLAN_NOWHERE;
        if (strcmp(event->text, other->events[i].text) != 0)
            event->text = mz_operation_name(event->kind);
    }
    for (uint32_t t = 0; t < plan->thread_count; t++)
        if (plan->threads[t].ends != other->threads[t].ends)
            plan->threads[t].ends = 0;
}

/* Cases with equal plans share one. Which one applies is to be simple to say, so they need not be verified
 * equally far: of those whose traces agree, the one with the longest prefix leads, and the others keep to as
 * much of it, which is a safe prefix of theirs, too. What is free of constraints stays so. */
static bool can_follow(mz_case *c, mz_case *leader, bool counts_accesses)
{
    return (c->prefix == 0) == (leader->prefix == 0) &&
           are_alike(mz_case_plan(leader, counts_accesses), mz_case_plan(c, counts_accesses), leader->prefix);
}

static int by_prefix(const void *a, const void *b)
{
    const mz_case *c = *(const mz_case *const *)a, *d = *(const mz_case *const *)b;
    return c->prefix != d->prefix ? (c->prefix > d->prefix ? -1 : 1) : c < d ? -1 : c > d;
}

/* Of each case the one whose plan it has. */
static void find_leaders(mz_cases *cases, bool counts_accesses)
{
    mz_case **order = mz_allocate_zeroed(cases->count, sizeof *order);
    size_t leader_count = 0;
    for (size_t i = 0; i < cases->count; i++)
        order[i] = &cases->items[i];
    qsort(order, cases->count, sizeof *order, by_prefix);
    for (size_t i = 0; i < cases->count; i++) {
        mz_case *c = order[i];
        size_t k = 0;
        while (k < leader_count && !can_follow(c, order[k], counts_accesses))
            k++;
        c->leader = (size_t)((k < leader_count ? order[k] : c) - cases->items);
        if (k == leader_count) /* those that lead stand in front, what was there has had its turn */
            order[leader_count++] = c;
    }
    mz_release(order);
}

static void add_plan(mz_symbolic_plan *symbolic, mz_case *c, bool counts_accesses, bool needs_fences)
{
    mz_plan *plan = mz_symbolic_add_plan(symbolic);
    const mz_plan *own = mz_case_plan(c, counts_accesses);
    *plan = *own; /* but that its events may change */
    plan->events = mz_allocate_zeroed(own->event_count, sizeof *own->events);
    for (size_t i = 0; i < own->event_count; i++)
        plan->events[i] = own->events[i];
    plan->prefix = c->prefix;
    plan->needs_fences = needs_fences;
}

static void add_inputs(mz_symbolic_plan *symbolic, const mz_case *c)
{
    for (size_t i = 0; i < c->input_count; i++) {
        const mz_choice *in = &c->inputs[i];
        size_t known = mz_symbolic_find_input(symbolic, in->name);
        if (known == symbolic->input_count) {
            mz_symbolic_add_input(symbolic, in->name, in->low, in->high);
            continue;
        }
        mz_plan_input *input = &symbolic->inputs[known];
        input->low = in->low < input->low ? in->low : input->low;
        input->high = in->high > input->high ? in->high : input->high;
    }
}

static void fill_row(const mz_symbolic_plan *symbolic, const mz_case *c, mz_guard_row *row)
{
    row->plan = c->number;
    for (size_t i = 0; i < c->input_count; i++) {
        size_t input = mz_symbolic_find_input(symbolic, c->inputs[i].name);
        row->valuation.known |= UINT64_C(1) << input;
        row->valuation.values[input] = c->inputs[i].value;
    }
}

static bool learn(const mz_cases *cases, mz_symbolic_plan *symbolic)
{
    mz_guard_row *rows = mz_allocate_zeroed(cases->count, sizeof *rows);
    for (size_t i = 0; i < cases->count; i++)
        fill_row(symbolic, &cases->items[i], &rows[i]);
    bool learned = mz_guards_learn(symbolic, rows, cases->count);
    mz_release(rows);
    return learned;
}

/* What a name of an input is for: without names (then nothing is constrained) there is nothing to decide. */
static bool have_names(const mz_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        for (size_t k = 0; k < cases->items[i].input_count; k++)
            if (!cases->items[i].inputs[k].name)
                return false;
    return true;
}

static bool do_any_count_accesses(const mz_cases *cases)
{
    bool any = false;
    for (size_t i = 0; i < cases->count; i++)
        any |= cases->items[i].plan.counts_accesses;
    return any;
}

bool mz_cases_fix_leaders(mz_cases *cases)
{
    bool counts_accesses = do_any_count_accesses(cases);
    find_leaders(cases, counts_accesses);
    cases->leaders_are_fixed = true;
    return counts_accesses;
}

bool mz_cases_combine(mz_cases *cases, mz_symbolic_plan *symbolic, mz_text *obstacle)
{
    bool counts_accesses = do_any_count_accesses(cases), needs_fences = false;
    mz_symbolic_init(symbolic);
    if (!cases->leaders_are_fixed)
        find_leaders(cases, counts_accesses);
    for (size_t i = 0; i < cases->count; i++) {
        needs_fences |= cases->items[i].plan.needs_fences;
        cases->items[i].number = UINT32_MAX;
    }
    for (size_t i = 0; i < cases->count; i++) {
        mz_case *c = &cases->items[i], *leader = &cases->items[c->leader];
        if (leader->number == UINT32_MAX) {
            leader->number = (uint32_t)symbolic->plan_count;
            add_plan(symbolic, leader, counts_accesses, needs_fences);
        }
        c->number = leader->number;
        blur(&symbolic->plans[c->number], mz_case_plan(c, counts_accesses));
    }
    if (symbolic->plan_count > MZ_MOST_PLANS) {
        mz_text_add(obstacle, "the inputs lead to more than %d different plans", MZ_MOST_PLANS);
        return false;
    }
    for (size_t i = 0; i < cases->count && have_names(cases); i++)
        add_inputs(symbolic, &cases->items[i]);
    if (symbolic->input_count > MZ_MOST_INPUTS)
        mz_text_add(obstacle, "there are more than %d inputs", MZ_MOST_INPUTS);
    else if (symbolic->plan_count > 1 && !learn(cases, symbolic))
        mz_text_add(obstacle, "more than %d comparisons of inputs would be needed", MZ_MOST_GUARDS);
    return obstacle->length == 0;
}

void mz_cases_combined_release(mz_symbolic_plan *symbolic)
{
    for (size_t i = 0; i < symbolic->plan_count; i++)
        mz_release(symbolic->plans[i].events);
    symbolic->plan_count = 0; /* all else is the cases' own */
    mz_symbolic_release(symbolic);
}

uint32_t mz_cases_prefix(const mz_cases *cases, uint32_t number)
{
    uint32_t longest = 0;
    for (size_t i = 0; i < cases->count; i++)
        if (cases->items[i].number == number && cases->items[i].prefix > longest)
            longest = cases->items[i].prefix;
    return longest;
}
