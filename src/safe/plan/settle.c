/* Plans whose prefixes have become shorter, one by one, since their guards were learned.
 *
 * A guard asks for inputs that are read while the events happen that all plans below it have in common, and
 * no event beyond these happens before it is decided (wire/symbolic_format.h). With a shorter prefix a plan
 * has less in common with the others. Then the guard may ask for an input that is read only after the events
 * that are left: whoever kept to such a plan would wait for an input that nobody comes to read. There are two
 * ways out, and both are safe:
 *
 *   - the plans below the guard ask for the same by now, because what follows the input is verified for all
 *     of its values: then nothing has to be decided, and one plan takes the place of the guard. It has the
 *     longest of their prefixes;
 *   - otherwise the plans below it keep as many events of their traces as happen before the input is read: a
 *     longer part of a trace than is needed is safe as well (safe/plan/extract.c). Such a part they had in
 *     common when the guard was learned, so they have it again. */
#include <string.h>

#include "base/memory.h"
#include "safe/plan/symbolic.h"

/* ---- as much of the traces as guards need ---------------------------------------------------------------
 */

static uint32_t rank_of(const mz_plan *plan, const char *input)
{
    for (size_t i = 0; i < plan->read_count; i++)
        if (strcmp(plan->reads[i].name, input) == 0)
            return plan->reads[i].rank;
    return 0;
}

static void keep_at_least(mz_plan *plan, uint32_t rank)
{
    if (!plan->edges_only && rank > plan->prefix && rank <= plan->length)
        plan->prefix = rank;
}

void mz_symbolic_keep_reads(mz_symbolic_plan *s)
{
    bool *below = mz_allocate_zeroed(s->plan_count + 1, sizeof *below);
    for (size_t g = 0; g < s->guard_count; g++) {
        const mz_guard *guard = &s->guards[g];
        mz_symbolic_common(s, (uint32_t)g, below);
        for (size_t i = 0; i < s->plan_count; i++) {
            if (!below[i])
                continue;
            keep_at_least(&s->plans[i], rank_of(&s->plans[i], s->inputs[guard->left].name));
            if (guard->right != MZ_GUARD_CONSTANT)
                keep_at_least(&s->plans[i], rank_of(&s->plans[i], s->inputs[guard->right].name));
        }
    }
    mz_release(below);
}

/* ---- guards that decide nothing -------------------------------------------------------------------------
 */

/* What takes the place of a guard below which there are only these two: the one with the lower number, since
 * the first plan says what was verified. */
static bool unite(mz_symbolic_plan *s, uint32_t a, uint32_t b)
{
    mz_plan *first = &s->plans[a < b ? a : b], *second = &s->plans[a < b ? b : a];
    uint32_t longest = first->prefix > second->prefix ? first->prefix : second->prefix;
    if (a == b)
        return true;
    if (first->edges_only || second->edges_only || (first->prefix == 0) != (second->prefix == 0) ||
        !mz_plan_asks_the_same(first, second, longest))
        return false;
    first->prefix = longest;
    mz_plan_blur(first, second);
    return true;
}

/* From the last one to the first: what a guard leads to comes after it. */
static void unite_plans(mz_symbolic_plan *s, uint32_t *instead)
{
    for (size_t g = s->guard_count; g-- > 0;) {
        mz_guard *guard = &s->guards[g];
        uint32_t *targets[] = {&guard->holds, &guard->fails};
        for (int i = 0; i < 2; i++)
            if (!(*targets[i] & MZ_GUARD_PLAN))
                *targets[i] = instead[*targets[i]];
        uint32_t a = guard->holds, b = guard->fails;
        bool leads_to_plans = (a & MZ_GUARD_PLAN) && (b & MZ_GUARD_PLAN);
        instead[g] = leads_to_plans && unite(s, a & ~MZ_GUARD_PLAN, b & ~MZ_GUARD_PLAN) ? (a < b ? a : b)
                                                                                        : (uint32_t)g;
    }
}

/* New numbers for what can be reached, guards in the order in which they are come to. */
typedef struct numbering {
    uint32_t *guards;
    bool *plans;
    uint32_t count;
} numbering;

static void number_from(const mz_symbolic_plan *s, uint32_t at, numbering *n)
{
    if (at & MZ_GUARD_PLAN) {
        n->plans[at & ~MZ_GUARD_PLAN] = true;
        return;
    }
    n->guards[n->count++] = at;
    number_from(s, s->guards[at].holds, n);
    number_from(s, s->guards[at].fails, n);
}

static uint32_t new_number(uint32_t at, const numbering *n, const uint32_t *plans)
{
    uint32_t i = 0;
    if (at & MZ_GUARD_PLAN)
        return MZ_GUARD_PLAN | plans[at & ~MZ_GUARD_PLAN];
    while (n->guards[i] != at)
        i++;
    return i;
}

/* Only what can be reached from here stays. The first plan does (see unite()). */
static void keep_below(mz_symbolic_plan *s, uint32_t root)
{
    numbering n = {.guards = mz_allocate_zeroed(s->guard_count + 1, sizeof *n.guards),
                   .plans = mz_allocate_zeroed(s->plan_count + 1, sizeof *n.plans)};
    uint32_t *plans = mz_allocate_zeroed(s->plan_count + 1, sizeof *plans);
    mz_guard *guards = mz_allocate_zeroed(s->guard_count + 1, sizeof *guards);
    size_t kept = 0;
    number_from(s, root, &n);
    for (size_t i = 0; i < s->plan_count; i++) {
        plans[i] = (uint32_t)kept;
        if (!n.plans[i])
            mz_plan_release(&s->plans[i]);
        else if (kept++ < i)
            s->plans[kept - 1] = s->plans[i];
    }
    for (uint32_t i = 0; i < n.count; i++) {
        guards[i] = s->guards[n.guards[i]];
        guards[i].holds = new_number(guards[i].holds, &n, plans);
        guards[i].fails = new_number(guards[i].fails, &n, plans);
    }
    s->plan_count = kept;
    memcpy(s->guards, guards, n.count * sizeof *guards);
    s->guard_count = n.count;
    mz_release(n.guards);
    mz_release(n.plans);
    mz_release(plans);
    mz_release(guards);
}

void mz_symbolic_settle(mz_symbolic_plan *s)
{
    if (s->guard_count == 0)
        return;
    uint32_t *instead = mz_allocate_zeroed(s->guard_count, sizeof *instead);
    unite_plans(s, instead);
    keep_below(s, instead[0]);
    mz_release(instead);
    mz_symbolic_keep_reads(s);
}
