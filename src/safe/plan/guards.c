/* Learning guards.
 *
 * The guards come from a fixed family, the *atoms*: an input equals a constant, is at most a constant; two
 * inputs are equal, one is less than the other, at most the other. Of all trees of atoms that agree with the
 * table on every row, one with the fewest nodes is looked for, by trying sizes from the least possible on;
 * when that becomes too much work, the tree is begun with the atom that tells most about the plan, and the
 * search goes on in both parts. Exact on the table it is in every case: a leaf is made only of rows with the
 * same plan.
 *
 * An atom may be asked only where all rows have its inputs, since the running program decides it when they
 * are read, and could wait for one that is never read. And only where they are read in time: when as many
 * events have happened as the plans of these rows have in common, because until then nothing else may happen.
 * There is always one to ask: the input that is read first is in all rows; and if all rows agree on the
 * inputs up to some point, the next one that is read is the same for all. The first one on which they do not
 * agree is read before their plans differ (wire/symbolic_format.h).
 *
 * Sets of rows are bits. */
#include "safe/plan/guards.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct atom {
    mz_guard guard;
    uint64_t *holds; /* rows */
    uint64_t *known; /* rows that have its inputs */
} atom;

typedef struct learner {
    const mz_guard_row *rows;
    size_t row_count, words; /* words of a set of rows */
    uint32_t plan_count;
    bool has_ranks;   /* some input is read after the first event */
    uint32_t *common; /* [plan][plan]: first events that they have in common, + 1; 0: not asked yet */
    atom *atoms;
    size_t atom_count, atom_capacity;
    uint64_t work;   /* left for exact searches, about in words of sets that are looked at */
    uint32_t *seen;  /* [plan]: in the count with this number */
    uint32_t counts; /* made so far */
    mz_guard *found; /* the tree of the exact search, in preorder */
    size_t found_count, found_capacity;
    mz_symbolic_plan *out;
} learner;

/* ---- sets of rows ---------------------------------------------------------------------------------------
 */

static uint64_t *new_set(const learner *l)
{
    return mz_allocate_zeroed(l->words, sizeof(uint64_t));
}

static bool is_subset(const learner *l, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < l->words; i++)
        if (a[i] & ~b[i])
            return false;
    return true;
}

static bool is_empty(const learner *l, const uint64_t *a)
{
    for (size_t i = 0; i < l->words; i++)
        if (a[i])
            return false;
    return true;
}

/* Both parts of `rows`. */
static void divide(const learner *l, const uint64_t *rows, const uint64_t *holds, uint64_t *yes, uint64_t *no)
{
    for (size_t i = 0; i < l->words; i++) {
        yes[i] = rows[i] & holds[i];
        no[i] = rows[i] & ~holds[i];
    }
}

/* How many plans the rows have; more than `most` is not counted. */
static size_t count_plans(learner *l, const uint64_t *rows, size_t most)
{
    size_t count = 0;
    l->counts++;
    for (size_t i = 0; i < l->words; i++)
        for (uint64_t rest = rows[i]; rest && count <= most; rest &= rest - 1) {
            uint32_t plan = l->rows[i * 64 + (size_t)__builtin_ctzll(rest)].plan;
            count += l->seen[plan] != l->counts;
            l->seen[plan] = l->counts;
        }
    return count;
}

static uint32_t plan_of(const learner *l, const uint64_t *rows)
{
    size_t i = 0;
    while (!rows[i])
        i++;
    return l->rows[i * 64 + (size_t)__builtin_ctzll(rows[i])].plan;
}

static uint32_t common_of(learner *l, uint32_t a, uint32_t b)
{
    uint32_t *known = &l->common[(size_t)a * l->plan_count + b];
    if (*known == 0)
        *known = mz_plan_common(&l->out->plans[a], &l->out->plans[b]) + 1;
    return *known - 1;
}

/* How many first events the plans of the rows have in common. */
static uint32_t common_events(learner *l, const uint64_t *rows)
{
    uint32_t first = plan_of(l, rows), least = UINT32_MAX;
    for (size_t i = 0; i < l->words && l->has_ranks; i++)
        for (uint64_t rest = rows[i]; rest; rest &= rest - 1) {
            uint32_t plan = l->rows[i * 64 + (size_t)__builtin_ctzll(rest)].plan;
            uint32_t common = plan == first ? least : common_of(l, first, plan);
            least = common < least ? common : least;
        }
    return least;
}

/* Are its inputs read before so many events have happened, in all of the rows? */
static bool is_in_time(const learner *l, const mz_guard *guard, const uint64_t *rows, uint32_t events)
{
    for (size_t i = 0; i < l->words && l->has_ranks; i++)
        for (uint64_t rest = rows[i]; rest; rest &= rest - 1) {
            const uint32_t *ranks = l->rows[i * 64 + (size_t)__builtin_ctzll(rest)].ranks;
            if (ranks[guard->left] > events ||
                (guard->right != MZ_GUARD_CONSTANT && ranks[guard->right] > events))
                return false;
        }
    return true;
}

/* `common`: of the plans of these rows. */
static bool can_ask(const learner *l, const atom *a, const uint64_t *rows, uint32_t common)
{
    return is_subset(l, rows, a->known) && !is_subset(l, rows, a->holds) &&
           is_in_time(l, &a->guard, rows, common);
}

/* ---- atoms ------------------------------------------------------------------------------------------------
 */

/* Of two that tell the same one is enough, unless its inputs may be read later than the other's. */
static bool is_like_another(const learner *l, const atom *a)
{
    size_t bytes = l->words * sizeof(uint64_t);
    for (size_t i = 0; i < l->atom_count; i++) {
        const atom *b = &l->atoms[i];
        bool same_inputs = a->guard.left == b->guard.left && a->guard.right == b->guard.right;
        if ((!l->has_ranks || same_inputs) && memcmp(a->holds, b->holds, bytes) == 0 &&
            memcmp(a->known, b->known, bytes) == 0)
            return true;
    }
    return false;
}

/* Unless it tells the same as one before it. */
static void add_atom(learner *l, mz_guard guard)
{
    atom a = {.guard = guard, .holds = new_set(l), .known = new_set(l)};
    for (size_t i = 0; i < l->row_count; i++) {
        const mz_valuation *v = &l->rows[i].valuation;
        uint64_t bit = UINT64_C(1) << i % 64;
        a.known[i / 64] |= mz_guard_is_known(&guard, v) ? bit : 0;
        a.holds[i / 64] |= mz_guard_is_known(&guard, v) && mz_guard_holds(&guard, v) ? bit : 0;
    }
    if (is_empty(l, a.holds) || is_like_another(l, &a)) {
        mz_release(a.holds);
        mz_release(a.known);
        return;
    }
    l->atoms = mz_grow(l->atoms, &l->atom_capacity, l->atom_count + 1, sizeof *l->atoms);
    l->atoms[l->atom_count++] = a;
}

static int compare_values(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The values that it has in the table, in order, each once. */
static size_t values_of(const learner *l, uint32_t input, int64_t *values)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < l->row_count; i++)
        if (l->rows[i].valuation.known >> input & 1)
            values[count++] = l->rows[i].valuation.values[input];
    if (count > 0)
        qsort(values, count, sizeof *values, compare_values);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[kept++] = values[i];
    return kept;
}

static void add_comparisons_with_constants(learner *l, uint32_t input, int64_t *values)
{
    static const uint32_t comparisons[] = {MZ_GUARD_AT_MOST, MZ_GUARD_EQUAL};
    size_t count = values_of(l, input, values);
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < count; i++)
            add_atom(l, (mz_guard){.comparison = comparisons[c],
                                   .left = input,
                                   .right = MZ_GUARD_CONSTANT,
                                   .constant = values[i]});
}

/* In the order in which they are preferred. */
static void add_atoms(learner *l)
{
    uint32_t inputs = (uint32_t)l->out->input_count;
    int64_t *values = mz_allocate_zeroed(l->row_count, sizeof *values);
    for (uint32_t left = 0; left < inputs; left++)
        for (uint32_t right = left + 1; right < inputs; right++)
            add_atom(l, (mz_guard){.comparison = MZ_GUARD_EQUAL, .left = left, .right = right});
    for (uint32_t input = 0; input < inputs; input++)
        add_comparisons_with_constants(l, input, values);
    for (uint32_t left = 0; left < inputs; left++)
        for (uint32_t right = left + 1; right < inputs; right++) {
            add_atom(l, (mz_guard){.comparison = MZ_GUARD_LESS, .left = left, .right = right});
            add_atom(l, (mz_guard){.comparison = MZ_GUARD_AT_MOST, .left = left, .right = right});
        }
    mz_release(values);
}

/* ---- the smallest tree ----------------------------------------------------------------------------------
 *
 * Trees of guards are written in preorder; what follows a guard is put in when it is known. */

static uint32_t begin_guard(learner *l, const atom *a)
{
    l->found = mz_grow(l->found, &l->found_capacity, l->found_count + 1, sizeof *l->found);
    l->found[l->found_count] = a->guard;
    return (uint32_t)l->found_count++;
}

static bool find_tree(learner *l, const uint64_t *rows, size_t size, uint32_t *at);

/* With the atom at the top and `size` guards in all. */
static bool find_below(learner *l, const atom *a, const uint64_t *rows, size_t size, uint64_t *yes,
                       uint64_t *no, uint32_t *at)
{
    divide(l, rows, a->holds, yes, no);
    if (is_empty(l, yes))
        return false;
    size_t least_no = count_plans(l, no, size) - 1, begun = l->found_count;
    for (size_t part = count_plans(l, yes, size) - 1; part + least_no < size; part++) {
        uint32_t own = begin_guard(l, a), holds, fails;
        if (find_tree(l, yes, part, &holds) && find_tree(l, no, size - 1 - part, &fails)) {
            l->found[own].holds = holds;
            l->found[own].fails = fails;
            *at = own;
            return true;
        }
        l->found_count = begun;
    }
    return false;
}

/* With at most `size` guards; also false when there is no work left to be done. */
static bool find_tree(learner *l, const uint64_t *rows, size_t size, uint32_t *at)
{
    size_t plans = count_plans(l, rows, size + 1);
    if (plans == 1)
        *at = MZ_GUARD_PLAN | plan_of(l, rows);
    if (plans == 1 || plans > size + 1)
        return plans == 1;
    uint64_t *yes = new_set(l), *no = new_set(l);
    bool found = false;
    uint32_t common = common_events(l, rows);
    for (size_t i = 0; i < l->atom_count && !found && l->work > l->words; i++) {
        l->work -= l->words;
        found =
            can_ask(l, &l->atoms[i], rows, common) && find_below(l, &l->atoms[i], rows, size, yes, no, at);
    }
    mz_release(yes);
    mz_release(no);
    return found;
}

/* ---- a good tree ----------------------------------------------------------------------------------------
 */

/* How many rows would be given the wrong plan if it were drawn as often as it occurs among them. */
static double expected_mistakes(const learner *l, const uint64_t *rows, uint32_t *counts)
{
    double squares = 0, all = 0;
    memset(counts, 0, l->plan_count * sizeof *counts);
    for (size_t i = 0; i < l->words; i++)
        for (uint64_t rest = rows[i]; rest; rest &= rest - 1) {
            counts[l->rows[i * 64 + (size_t)__builtin_ctzll(rest)].plan]++;
            all++;
        }
    for (uint32_t p = 0; p < l->plan_count; p++)
        squares += (double)counts[p] * counts[p];
    return all > 0 ? all - squares / all : 0;
}

static const atom *most_telling(learner *l, const uint64_t *rows, uint64_t *yes, uint64_t *no)
{
    uint32_t *counts = mz_allocate_zeroed(l->plan_count, sizeof *counts);
    const atom *best = NULL;
    double least = 0;
    uint32_t common = common_events(l, rows);
    for (size_t i = 0; i < l->atom_count; i++) {
        const atom *a = &l->atoms[i];
        if (!can_ask(l, a, rows, common))
            continue;
        divide(l, rows, a->holds, yes, no);
        double left = expected_mistakes(l, yes, counts) + expected_mistakes(l, no, counts);
        if (!is_empty(l, yes) && (!best || left < least - 1e-9)) {
            best = a;
            least = left;
        }
    }
    mz_release(counts);
    if (best)
        divide(l, rows, best->holds, yes, no);
    return best;
}

/* ---- both -----------------------------------------------------------------------------------------------
 */

/* The tree that was found becomes a part of the answer. */
static uint32_t take_found(learner *l, uint32_t at)
{
    uint32_t moved = (uint32_t)l->out->guard_count;
    for (size_t i = 0; i < l->found_count; i++) {
        mz_guard g = l->found[i];
        g.holds += g.holds & MZ_GUARD_PLAN ? 0 : moved;
        g.fails += g.fails & MZ_GUARD_PLAN ? 0 : moved;
        mz_symbolic_add_guard(l->out, g);
    }
    return at & MZ_GUARD_PLAN ? at : at + moved;
}

static bool find_smallest(learner *l, const uint64_t *rows, uint32_t *at)
{
    uint64_t work = l->work, granted = work / 4;
    bool found = false;
    l->work = granted;
    for (size_t size = count_plans(l, rows, l->plan_count) - 1; l->work > l->words && !found; size++) {
        l->found_count = 0;
        l->work -= l->words;
        found = find_tree(l, rows, size, at);
    }
    if (found)
        *at = take_found(l, *at);
    l->work = work - (granted - l->work);
    return found;
}

static bool learn(learner *l, const uint64_t *rows, uint32_t *at)
{
    if (count_plans(l, rows, 1) == 1) {
        *at = MZ_GUARD_PLAN | plan_of(l, rows);
        return true;
    }
    if (find_smallest(l, rows, at))
        return l->out->guard_count <= MZ_MOST_GUARDS;
    if (l->out->guard_count >= MZ_MOST_GUARDS)
        return false;
    uint64_t *yes = new_set(l), *no = new_set(l);
    const atom *a = most_telling(l, rows, yes, no);
    uint32_t own = (uint32_t)l->out->guard_count, holds = 0, fails = 0;
    if (a)
        mz_symbolic_add_guard(l->out, a->guard);
    bool learned = a && learn(l, yes, &holds) && learn(l, no, &fails);
    if (learned) {
        l->out->guards[own].holds = holds;
        l->out->guards[own].fails = fails;
        *at = own;
    }
    mz_release(yes);
    mz_release(no);
    return learned;
}

static void release(learner *l)
{
    for (size_t i = 0; i < l->atom_count; i++) {
        mz_release(l->atoms[i].holds);
        mz_release(l->atoms[i].known);
    }
    mz_release(l->atoms);
    mz_release(l->seen);
    mz_release(l->found);
    mz_release(l->common);
}

bool mz_guards_learn(mz_symbolic_plan *symbolic, const mz_guard_row *rows, size_t count)
{
    enum { WORK = 1 << 20 };
    learner l = {.rows = rows, .row_count = count, .words = (count + 63) / 64, .work = WORK, .out = symbolic};
    uint32_t root;
    for (size_t i = 0; i < count; i++)
        l.plan_count = rows[i].plan >= l.plan_count ? rows[i].plan + 1 : l.plan_count;
    for (size_t i = 0; i < count; i++)
        for (size_t input = 0; input < symbolic->input_count; input++)
            l.has_ranks |= rows[i].ranks[input] > 0;
    l.seen = mz_allocate_zeroed(l.plan_count, sizeof *l.seen);
    if (l.has_ranks)
        l.common = mz_allocate_zeroed((size_t)l.plan_count * l.plan_count, sizeof *l.common);
    add_atoms(&l);
    uint64_t *all = new_set(&l);
    for (size_t i = 0; i < count; i++)
        all[i / 64] |= UINT64_C(1) << i % 64;
    bool learned = learn(&l, all, &root);
    mz_release(all);
    release(&l);
    return learned;
}
