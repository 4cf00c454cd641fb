#include "safe/plan/symbolic.h"

#include <inttypes.h>
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

/* ---- guards for people ----------------------------------------------------------------------------------
 *
 * A plan applies on one or several ways through the tree of guards: each is a conjunction. */

/* A way from guard 0 on: which guards, and whether they hold. */
typedef struct way {
    const mz_guard *guards[MZ_MOST_GUARDS];
    bool holds[MZ_MOST_GUARDS];
    size_t length;
} way;

static bool compares_with_constant(const mz_guard *g, uint32_t input)
{
    return g->right == MZ_GUARD_CONSTANT && g->left == input;
}

/* What the way says of this input: a range, but for single values that are left out. */
static void narrow(const way *w, uint32_t input, int64_t *low, int64_t *high)
{
    for (size_t i = 0; i < w->length; i++) {
        const mz_guard *g = w->guards[i];
        if (!compares_with_constant(g, input))
            continue;
        int64_t most = g->comparison == MZ_GUARD_LESS ? g->constant - 1 : g->constant;
        if (g->comparison == MZ_GUARD_EQUAL && w->holds[i])
            *low = *high = g->constant;
        else if (g->comparison != MZ_GUARD_EQUAL && w->holds[i])
            *high = most < *high ? most : *high;
        else if (g->comparison != MZ_GUARD_EQUAL)
            *low = most + 1 > *low ? most + 1 : *low;
    }
    for (size_t i = 0; i < 2 * w->length; i++) { /* values at the ends of the range that are left out */
        const mz_guard *g = w->guards[i % w->length];
        if (!compares_with_constant(g, input) || g->comparison != MZ_GUARD_EQUAL || w->holds[i % w->length] ||
            *low >= *high)
            continue;
        *low += g->constant == *low;
        *high -= g->constant == *high;
    }
}

static void add_part(mz_text *out, size_t begin, const char *name, const char *comparison, int64_t constant)
{
    mz_text_add(out, "%s%s %s %" PRId64, out->length > begin ? " and " : "", name, comparison, constant);
}

/* The range, and what is left out of it. */
static void add_range(const mz_symbolic_plan *s, const way *w, uint32_t input, size_t begin, mz_text *out)
{
    const mz_plan_input *in = &s->inputs[input];
    int64_t low = in->low, high = in->high;
    narrow(w, input, &low, &high);
    if (low == high && in->low != in->high) {
        add_part(out, begin, in->name, "==", low);
        return;
    }
    if (low > in->low)
        add_part(out, begin, in->name, ">=", low);
    if (high < in->high)
        add_part(out, begin, in->name, "<=", high);
    for (size_t i = 0; i < w->length; i++) {
        const mz_guard *g = w->guards[i];
        if (compares_with_constant(g, input) && g->comparison == MZ_GUARD_EQUAL && !w->holds[i] &&
            g->constant > low && g->constant < high)
            add_part(out, begin, in->name, "!=", g->constant);
    }
}

static void add_way(const mz_symbolic_plan *s, const way *w, mz_text *out)
{
    static const char *const positive[] = {"==", "<", "<="}, *const negative[] = {"!=", ">=", ">"};
    size_t begin = out->length;
    for (size_t i = 0; i < w->length; i++) {
        const mz_guard *g = w->guards[i];
        if (g->right != MZ_GUARD_CONSTANT)
            mz_text_add(out, "%s%s %s %s", out->length > begin ? " and " : "", s->inputs[g->left].name,
                        (w->holds[i] ? positive : negative)[g->comparison], s->inputs[g->right].name);
    }
    for (uint32_t input = 0; input < s->input_count; input++)
        add_range(s, w, input, begin, out);
}

static void follow(const mz_symbolic_plan *s, uint32_t at, uint32_t target, way *w, mz_text *out)
{
    if (at == target && w->length > 0) {
        mz_text_add(out, "%s", out->length > 0 ? " or " : "");
        add_way(s, w, out);
    }
    if (at == target || (at & MZ_GUARD_PLAN))
        return;
    w->guards[w->length] = &s->guards[at];
    for (int holds = 1; holds >= 0; holds--) {
        w->holds[w->length++] = holds;
        follow(s, holds ? s->guards[at].holds : s->guards[at].fails, target, w, out);
        w->length--;
    }
}

void mz_symbolic_condition(const mz_symbolic_plan *s, size_t plan, mz_text *out)
{
    if (s->guard_count > 0)
        mz_symbolic_condition_between(s, 0, MZ_GUARD_PLAN | (uint32_t)plan, out);
}

void mz_symbolic_condition_between(const mz_symbolic_plan *s, uint32_t from, uint32_t target, mz_text *out)
{
    mz_text condition = {0};
    way *w = mz_allocate_zeroed(1, sizeof *w);
    follow(s, from, target, w, &condition);
    mz_text_add(out, "%s", mz_text_string(&condition));
    mz_release(w);
    mz_text_release(&condition);
}
