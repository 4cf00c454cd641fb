/* Guards for people.
 *
 * A plan applies on one or several ways through the tree of guards: each is a conjunction of comparisons, and
 * the condition says that one of them holds. A tree says more than is needed: on the way past `x == y` it
 * asks for `x != y and x == z`, though who reads "x == y or x == z" knows the same. So
 *
 *   - a comparison is left out of a way if another way has its opposite, and nothing else that this one has
 *     not: where the opposite holds, and the rest of this way, the other way is taken;
 *   - a way that has all that another one has, and more, is left out. */
#include "safe/plan/symbolic.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

typedef struct way {
    const mz_guard **guards; /* [length] */
    bool *holds;
    size_t length;
} way;

typedef struct ways {
    way *all;
    size_t count, capacity;
} ways;

/* ---- fewer words ----------------------------------------------------------------------------------------
 */

static bool is_same_guard(const mz_guard *a, const mz_guard *b)
{
    return a->comparison == b->comparison && a->left == b->left && a->right == b->right &&
           (a->right != MZ_GUARD_CONSTANT || a->constant == b->constant);
}

static bool has(const way *w, const mz_guard *guard, bool holds)
{
    for (size_t i = 0; i < w->length; i++)
        if (w->holds[i] == holds && is_same_guard(w->guards[i], guard))
            return true;
    return false;
}

/* Has `b` all that `a` has, but for `a`'s opposite of this one (NULL: all)? */
static bool implies(const way *b, const way *a, const mz_guard *but, bool held)
{
    for (size_t i = 0; i < a->length; i++) {
        bool is_opposite = but && a->holds[i] != held && is_same_guard(a->guards[i], but);
        if (!is_opposite && !has(b, a->guards[i], a->holds[i]))
            return false;
    }
    return true;
}

static void leave_out_comparison(way *w, size_t at)
{
    w->length--;
    memmove(&w->guards[at], &w->guards[at + 1], (w->length - at) * sizeof *w->guards);
    memmove(&w->holds[at], &w->holds[at + 1], (w->length - at) * sizeof *w->holds);
}

static void release_way(way *w)
{
    mz_release(w->guards);
    mz_release(w->holds);
}

static void leave_out_way(ways *s, size_t at)
{
    release_way(&s->all[at]);
    s->count--;
    memmove(&s->all[at], &s->all[at + 1], (s->count - at) * sizeof *s->all);
}

/* Of b, because of a. */
static bool shorten(way *b, const way *a)
{
    for (size_t i = 0; i < b->length && b->length > 1; i++)
        if (has(a, b->guards[i], !b->holds[i]) && implies(b, a, b->guards[i], b->holds[i])) {
            leave_out_comparison(b, i);
            return true;
        }
    return false;
}

static bool simplify_once(ways *s)
{
    for (size_t b = 0; b < s->count; b++)
        for (size_t a = 0; a < s->count; a++) {
            if (a == b)
                continue;
            if (shorten(&s->all[b], &s->all[a]))
                return true;
            if (implies(&s->all[b], &s->all[a], NULL, false)) {
                leave_out_way(s, b);
                return true;
            }
        }
    return false;
}

/* Nobody reads more ways than that. */
static void simplify(ways *s)
{
    enum { MOST_WAYS = 100 };
    while (s->count <= MOST_WAYS && simplify_once(s))
        continue;
}

/* ---- words ------------------------------------------------------------------------------------------------
 */

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

/* ---- ways through the tree ------------------------------------------------------------------------------
 */

static void add_copy(ways *s, const way *w)
{
    s->all = mz_grow(s->all, &s->capacity, s->count + 1, sizeof *s->all);
    way *copy = &s->all[s->count++];
    *copy = (way){.guards = mz_allocate_zeroed(w->length, sizeof *w->guards),
                  .holds = mz_allocate_zeroed(w->length, sizeof *w->holds),
                  .length = w->length};
    memcpy(copy->guards, w->guards, w->length * sizeof *w->guards);
    memcpy(copy->holds, w->holds, w->length * sizeof *w->holds);
}

static void follow(const mz_symbolic_plan *s, uint32_t at, uint32_t target, way *w, ways *out)
{
    if (at == target && w->length > 0)
        add_copy(out, w);
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
    ways found = {0};
    way w = {.guards = mz_allocate_zeroed(s->guard_count + 1, sizeof *w.guards),
             .holds = mz_allocate_zeroed(s->guard_count + 1, sizeof *w.holds)};
    follow(s, from, target, &w, &found);
    simplify(&found);
    for (size_t i = 0; i < found.count; i++) {
        mz_text_add(out, "%s", i ? " or " : "");
        add_way(s, &found.all[i], out);
        release_way(&found.all[i]);
    }
    mz_release(found.all);
    release_way(&w);
}
