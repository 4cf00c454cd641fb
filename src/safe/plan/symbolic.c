#include "safe/plan/symbolic.h"

#include <string.h>

#include "base/memory.h"

void mz_symbolic_init(mz_symbolic_plan *s)
{
    *s =
        (mz_symbolic_plan){.nondet_low = MZ_NONDET_LOW, .nondet_high = MZ_NONDET_HIGH, .says_premises = true};
}

void mz_symbolic_release(mz_symbolic_plan *s)
{
    for (size_t i = 0; i < s->plan_count; i++)
        mz_plan_release(&s->plans[i]);
    mz_release(s->plans);
    mz_release(s->inputs);
    mz_release(s->guards);
    mz_release(s->premises);
    mz_release(s->seen);
    mz_arena_release(&s->strings);
    *s = (mz_symbolic_plan){0};
}

mz_plan *mz_symbolic_add_plan(mz_symbolic_plan *s)
{
    s->plans = mz_grow(s->plans, &s->plan_capacity, s->plan_count + 1, sizeof *s->plans);
    s->plans[s->plan_count] = (mz_plan){.hash = "", .thread_count = 1};
    return &s->plans[s->plan_count++];
}

void mz_symbolic_add_input(mz_symbolic_plan *s, const char *name, int64_t low, int64_t high)
{
    s->inputs = mz_grow(s->inputs, &s->input_capacity, s->input_count + 1, sizeof *s->inputs);
    s->inputs[s->input_count++] = (mz_plan_input){mz_arena_copy(&s->strings, name, strlen(name)), low, high};
}

void mz_symbolic_add_guard(mz_symbolic_plan *s, mz_guard guard)
{
    s->guards = mz_grow(s->guards, &s->guard_capacity, s->guard_count + 1, sizeof *s->guards);
    s->guards[s->guard_count++] = guard;
}

size_t mz_symbolic_find_input(const mz_symbolic_plan *s, const char *name)
{
    size_t i = 0;
    while (i < s->input_count && strcmp(s->inputs[i].name, name) != 0)
        i++;
    return i;
}

size_t mz_symbolic_constraints(const mz_symbolic_plan *s)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->plan_count; i++)
        sum += mz_plan_constraints(&s->plans[i], s->plans[i].prefix);
    return sum;
}

size_t mz_symbolic_constraints_at_first(const mz_symbolic_plan *s)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->plan_count; i++)
        sum += mz_plan_constraints(&s->plans[i], s->plans[i].length);
    return sum;
}

uint32_t mz_symbolic_prefix(const mz_symbolic_plan *s, uint32_t *length)
{
    const mz_plan *longest = &s->plans[0];
    for (size_t i = 1; i < s->plan_count; i++)
        if (s->plans[i].prefix > longest->prefix)
            longest = &s->plans[i];
    *length = longest->length;
    return longest->prefix;
}

static void mark_below(const mz_symbolic_plan *s, uint32_t at, bool *below)
{
    if (at & MZ_GUARD_PLAN) {
        below[at & ~MZ_GUARD_PLAN] = true;
        return;
    }
    mark_below(s, s->guards[at].holds, below);
    mark_below(s, s->guards[at].fails, below);
}

/* What one of them has in common with each of the others, they all have in common. */
uint32_t mz_symbolic_common(const mz_symbolic_plan *s, uint32_t at, bool *below)
{
    memset(below, 0, s->plan_count * sizeof *below);
    mark_below(s, at, below);
    size_t first = 0;
    while (!below[first])
        first++;
    uint32_t common = s->plans[first].edges_only ? 0 : s->plans[first].prefix;
    for (size_t i = first + 1; i < s->plan_count; i++) {
        uint32_t both = below[i] ? mz_plan_common(&s->plans[first], &s->plans[i]) : common;
        common = both < common ? both : common;
    }
    return common;
}

static uint32_t rank_of(const mz_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->read_count; i++)
        if (strcmp(plan->reads[i].name, name) == 0)
            return plan->reads[i].rank;
    return 0;
}

uint32_t mz_symbolic_decided_at(const mz_symbolic_plan *s, uint32_t at)
{
    const mz_guard *g = &s->guards[at];
    bool *below = mz_allocate_zeroed(s->plan_count, sizeof *below);
    uint32_t latest = 0, common = mz_symbolic_common(s, at, below);
    for (size_t i = 0; i < s->plan_count; i++) {
        uint32_t left = below[i] ? rank_of(&s->plans[i], s->inputs[g->left].name) : 0;
        uint32_t right =
            below[i] && g->right != MZ_GUARD_CONSTANT ? rank_of(&s->plans[i], s->inputs[g->right].name) : 0;
        latest = left > latest ? left : latest;
        latest = right > latest ? right : latest;
    }
    mz_release(below);
    return latest < common ? latest : common;
}
