/* One symbolic plan of all cases: equal plans are shared, and guards say which case has which. */
#include "safe/verify/verify_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "safe/plan/guards.h"

/* ---- equal plans ----------------------------------------------------------------------------------------
 */

uint32_t mz_plans_common(const mz_plan *a, const mz_plan *b)
{
    uint32_t i = 0;
    while (i < a->length && i < b->length && mz_plan_same_event(a, b, i))
        i++;
    return i;
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
        if (!mz_plan_same_event(a, b, i) || !mz_plan_same_waits(a, b, i))
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
    for (uint32_t i = 0; i < plan->length && i < other->length && mz_plan_same_event(plan, other, i); i++) {
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
static bool can_keep_to(mz_case *c, mz_case *leader, bool counts_accesses)
{
    return are_alike(mz_case_plan(leader, counts_accesses), mz_case_plan(c, counts_accesses), leader->prefix);
}

/* Those that the case goes on for have its plan: a longer prefix than its own has to be theirs as well. */
static bool can_follow(mz_cases *cases, mz_case *c, mz_case *leader, bool counts_accesses)
{
    if ((c->prefix == 0) != (leader->prefix == 0) || !can_keep_to(c, leader, counts_accesses))
        return false;
    for (size_t i = 0; i < cases->count && c->is_leaf && leader->prefix > c->prefix; i++)
        if (mz_case_led_by(cases, &cases->items[i]) == c &&
            !can_keep_to(&cases->items[i], leader, counts_accesses))
            return false;
    return true;
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
    size_t leader_count = 0, count = 0;
    for (size_t i = 0; i < cases->count; i++)
        if (mz_case_led_by(cases, &cases->items[i]) == &cases->items[i])
            order[count++] = &cases->items[i];
    if (count > 0)
        qsort(order, count, sizeof *order, by_prefix);
    for (size_t i = 0; i < count; i++) {
        mz_case *c = order[i];
        size_t k = 0;
        while (k < leader_count && !can_follow(cases, c, order[k], counts_accesses))
            k++;
        c->leader = (size_t)((k < leader_count ? order[k] : c) - cases->items);
        if (k == leader_count) /* those that lead stand in front, what was there has had its turn */
            order[leader_count++] = c;
    }
    for (size_t i = 0; i < cases->count; i++)
        cases->items[i].leader = mz_case_led_by(cases, &cases->items[i])->leader;
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
    plan->reads = NULL; /* those of all cases that have it */
    plan->read_count = plan->read_capacity = 0;
}

static void add_input(mz_symbolic_plan *symbolic, const mz_choice *in)
{
    size_t known = mz_symbolic_find_input(symbolic, in->name);
    if (known == symbolic->input_count) {
        mz_symbolic_add_input(symbolic, in->name, in->low, in->high);
        return;
    }
    mz_plan_input *input = &symbolic->inputs[known];
    input->low = in->low < input->low ? in->low : input->low;
    input->high = in->high > input->high ? in->high : input->high;
}

/* Where the case reads it. If another one that has the plan reads it, too: what comes first. */
static void note_read(mz_plan *plan, const mz_case *c, const char *name, uint32_t rank)
{
    mz_plan_read read = {.name = name, .rank = rank};
    for (size_t i = 0; i < c->plan.read_count; i++)
        if (strcmp(c->plan.reads[i].name, name) == 0)
            read = c->plan.reads[i];
    size_t at = 0;
    while (at < plan->read_count && strcmp(plan->reads[at].name, name) != 0)
        at++;
    if (at < plan->read_count && plan->reads[at].rank <= read.rank)
        return;
    plan->reads = mz_grow(plan->reads, &plan->read_capacity, plan->read_count + 1, sizeof *plan->reads);
    plan->read_count += at == plan->read_count;
    plan->reads[at] = read;
}

/* One that is known when so many events have happened. */
static void add_to_row(mz_symbolic_plan *symbolic, const mz_case *c, const mz_choice *in, size_t rank,
                       mz_guard_row *row)
{
    add_input(symbolic, in);
    note_read(&symbolic->plans[c->number], c, in->name, (uint32_t)rank);
    size_t input = mz_symbolic_find_input(symbolic, in->name);
    if (input >= MZ_MOST_INPUTS)
        return; /* which is told */
    row->valuation.known |= UINT64_C(1) << input;
    row->valuation.values[input] = in->value;
    row->ranks[input] = (uint32_t)rank;
}

static void fill_row(mz_symbolic_plan *symbolic, const mz_machine *machine, const mz_case *c,
                     mz_guard_row *row)
{
    const mz_schedule *first = &c->first;
    row->plan = c->number;
    for (size_t i = 0; i < c->input_count; i++)
        add_to_row(symbolic, c, &c->inputs[i], 0, row);
    for (size_t e = 0; c->is_leaf && e < first->length; e++)
        for (size_t i = e > 0 ? first->choice_ends[e - 1] : first->initial_choices; i < first->choice_ends[e];
             i++)
            if (mz_is_input(machine, &first->choices[i]))
                add_to_row(symbolic, c, &first->choices[i], e + 1, row);
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

static void add_guards(const mz_cases *cases, const mz_machine *machine, mz_symbolic_plan *symbolic,
                       mz_text *obstacle)
{
    mz_guard_row *rows = mz_allocate_zeroed(cases->count, sizeof *rows);
    for (size_t i = 0; i < cases->count && have_names(cases); i++)
        fill_row(symbolic, machine, &cases->items[i], &rows[i]);
    if (symbolic->input_count > MZ_MOST_INPUTS)
        mz_text_add(obstacle, "there are more than %d inputs", MZ_MOST_INPUTS);
    else if (symbolic->plan_count > 1 && !mz_guards_learn(symbolic, rows, cases->count))
        mz_text_add(obstacle, "more than %d comparisons of inputs would be needed", MZ_MOST_GUARDS);
    mz_release(rows);
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

bool mz_cases_combine(mz_cases *cases, const mz_machine *machine, mz_symbolic_plan *symbolic,
                      mz_text *obstacle)
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
    add_guards(cases, machine, symbolic, obstacle);
    return obstacle->length == 0;
}

void mz_cases_combined_release(mz_symbolic_plan *symbolic)
{
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        mz_release(symbolic->plans[i].events);
        mz_release(symbolic->plans[i].reads);
    }
    symbolic->plan_count = 0; /* all else is the cases' own */
    mz_symbolic_release(symbolic);
}

void mz_cases_prefixes(const mz_cases *cases, uint32_t prefixes[MZ_MOST_PLANS])
{
    memset(prefixes, 0, MZ_MOST_PLANS * sizeof *prefixes);
    for (size_t i = 0; i < cases->count; i++) {
        uint32_t number = cases->items[i].number, prefix = mz_case_led_by(cases, &cases->items[i])->prefix;
        prefixes[number] = prefix > prefixes[number] ? prefix : prefixes[number];
    }
}
