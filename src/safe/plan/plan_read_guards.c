/* Plan files: the lines about inputs and guards (wire/symbolic_format.h). What is read decides, whatever the
 * file says: the guards are a tree, every leaf of it is a plan, and every plan is a leaf. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "safe/plan/plan_reader.h"

/* From `least` to `most`, or a part of that. */
static void read_range(mz_plan_reader *r, char *rest, int64_t least, int64_t most, int64_t *low,
                       int64_t *high)
{
    *low = mz_plan_next_number(r, &rest, least, most, "the least value");
    if (!r->lines.error->set)
        *high = mz_plan_next_number(r, &rest, *low, most, "the greatest value");
    if (!r->lines.error->set)
        mz_lines_nothing_left(&r->lines, rest);
}

void mz_plan_read_nondet(mz_plan_reader *r, const char *key, char *rest)
{
    (void)key;
    read_range(r, rest, INT64_MIN, INT64_MAX, &r->symbolic->nondet_low, &r->symbolic->nondet_high);
}

void mz_plan_read_input(mz_plan_reader *r, const char *key, char *rest)
{
    int64_t low = 0, high = 0;
    char *name = mz_plan_next_word(r, &rest, key);
    if (r->lines.error->set)
        return;
    if (!r->counts_inputs)
        mz_lines_wrong(&r->lines,
                       "this plan was made by an earlier version, which did not count inputs: it has "
                       "to be made anew ('mazurka plan')");
    else if (!mz_is_input_name(name, strlen(name)))
        mz_lines_wrong_at(&r->lines, name, "'%.40s' is no name of an input", name);
    else if (mz_symbolic_find_input(r->symbolic, name) < r->symbolic->input_count)
        mz_lines_wrong_at(&r->lines, name, "the input '%s' is given twice", name);
    else if (r->symbolic->input_count == MZ_MOST_INPUTS)
        mz_lines_wrong(&r->lines, "more than %d inputs", MZ_MOST_INPUTS);
    else
        read_range(r, rest, INT64_MIN + 1, INT64_MAX - 1, &low, &high); /* guards ask for what lies beside */
    if (!r->lines.error->set)
        mz_symbolic_add_input(r->symbolic, name, low, high);
}

void mz_plan_read_reads(mz_plan_reader *r, const char *key, char *rest)
{
    char *name = mz_plan_next_word(r, &rest, key), *place = NULL;
    uint32_t line = 0;
    if (!r->lines.error->set && mz_symbolic_find_input(r->symbolic, name) == r->symbolic->input_count)
        mz_lines_wrong_at(&r->lines, name, "there is no input '%.40s'", name);
    if (r->lines.error->set)
        return;
    uint32_t rank = (uint32_t)mz_plan_next_number(r, &rest, 0, UINT32_MAX - 1, "rank");
    if (!r->lines.error->set && *rest == '|') {
        place = rest + 1 + strspn(rest + 1, " ");
        line = mz_plan_take_line(place);
    } else if (!r->lines.error->set) {
        mz_lines_nothing_left(&r->lines, rest);
    }
    if (!r->lines.error->set)
        mz_plan_add_read(r->plan, name, rank, place ? mz_lines_unescape(&r->lines, place) : NULL, line);
}

/* ---- guards ---------------------------------------------------------------------------------------------
 */

static uint32_t input_called(mz_plan_reader *r, const char *word)
{
    size_t input = mz_symbolic_find_input(r->symbolic, word);
    if (input == r->symbolic->input_count)
        mz_lines_wrong_at(&r->lines, word, "there is no input '%.40s'", word);
    return (uint32_t)input;
}

static uint32_t comparison_called(mz_plan_reader *r, const char *word)
{
    static const char *const names[] = {"==", "<", "<="};
    for (uint32_t i = 0; i < MZ_GUARD_OPERATOR_COUNT; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    mz_lines_wrong_at(&r->lines, word, "'%.40s' is none of ==, < and <=", word);
    return 0;
}

static void read_right(mz_plan_reader *r, char *word, mz_guard *guard)
{
    bool is_number = *word == '-' || (*word >= '0' && *word <= '9');
    guard->right = MZ_GUARD_CONSTANT;
    if (is_number)
        guard->constant = mz_plan_next_number(r, &word, INT64_MIN + 1, INT64_MAX - 1, "the right side");
    else
        guard->right = input_called(r, word);
}

/* plan:N, guard:N */
static uint32_t read_target(mz_plan_reader *r, char *word)
{
    bool is_plan = strncmp(word, "plan:", 5) == 0, is_guard = strncmp(word, "guard:", 6) == 0;
    if (!is_plan && !is_guard) {
        mz_lines_wrong_at(&r->lines, word, "what follows a guard is plan:N or guard:N, not '%.40s'", word);
        return 0;
    }
    char *number = word + (is_plan ? 5 : 6);
    int64_t least = is_plan ? 0 : (int64_t)r->symbolic->guard_count + 1,
            most = is_plan ? MZ_MOST_PLANS - 1 : MZ_MOST_GUARDS - 1;
    return (uint32_t)mz_plan_next_number(r, &number, least, most, "plan or later guard") |
           (is_plan ? MZ_GUARD_PLAN : 0);
}

void mz_plan_read_guard(mz_plan_reader *r, const char *key, char *rest)
{
    mz_guard guard = {0};
    char *words[5];
    static const char *const what[] = {"left side", "comparison", "right side", "what follows if it holds",
                                       "what follows if it fails"};
    (void)key;
    if (r->symbolic->guard_count == MZ_MOST_GUARDS)
        mz_lines_wrong(&r->lines, "more than %d guards", MZ_MOST_GUARDS);
    for (int i = 0; i < 5 && !r->lines.error->set; i++)
        words[i] = mz_plan_next_word(r, &rest, what[i]);
    if (!r->lines.error->set)
        mz_lines_nothing_left(&r->lines, rest);
    if (!r->lines.error->set)
        guard.left = input_called(r, words[0]);
    if (!r->lines.error->set)
        guard.comparison = comparison_called(r, words[1]);
    if (!r->lines.error->set)
        read_right(r, words[2], &guard);
    if (!r->lines.error->set)
        guard.holds = read_target(r, words[3]);
    if (!r->lines.error->set)
        guard.fails = read_target(r, words[4]);
    if (!r->lines.error->set)
        mz_symbolic_add_guard(r->symbolic, guard);
}

/* Guards lead to later ones only: if each is led to once, they are a tree. */
static void note_target(mz_plan_reader *r, uint32_t target, bool *guards, bool *plans)
{
    const mz_symbolic_plan *s = r->symbolic;
    uint32_t number = target & ~MZ_GUARD_PLAN;
    bool is_plan = target & MZ_GUARD_PLAN;
    if (number >= (is_plan ? s->plan_count : s->guard_count))
        mz_lines_wrong(&r->lines, "a guard leads to %s %" PRIu32 ", which is not there",
                       is_plan ? "plan" : "guard", number);
    else if (!is_plan && guards[number])
        mz_lines_wrong(&r->lines, "more than one guard leads to guard %" PRIu32, number);
    else
        (is_plan ? plans : guards)[number] = true;
}

/* Has the plan read the input when its first `common` events have happened? */
static bool reads_in_time(const mz_plan *plan, const char *name, uint32_t common)
{
    for (size_t i = 0; i < plan->read_count; i++)
        if (strcmp(plan->reads[i].name, name) == 0 && plan->reads[i].rank <= common)
            return true;
    return false;
}

/* Whoever waits for the decision waits for what these events lead to. */
static void check_times(mz_plan_reader *r)
{
    const mz_symbolic_plan *s = r->symbolic;
    bool *below = mz_allocate_zeroed(s->plan_count + 1, sizeof *below);
    for (size_t g = 0; g < s->guard_count && !r->lines.error->set; g++) {
        uint32_t common = mz_symbolic_common(s, (uint32_t)g, below);
        for (size_t i = 0; i < s->plan_count && !r->lines.error->set; i++) {
            const mz_guard *guard = &s->guards[g];
            const char *left = s->inputs[guard->left].name,
                       *right = guard->right == MZ_GUARD_CONSTANT ? left : s->inputs[guard->right].name;
            if (below[i] &&
                !(reads_in_time(&s->plans[i], left, common) && reads_in_time(&s->plans[i], right, common)))
                mz_lines_wrong(&r->lines,
                               "guard %zu asks for what plan %zu does not read in the %" PRIu32
                               " events that it has in common with the others",
                               g, i, common);
        }
    }
    mz_release(below);
}

void mz_plan_check_guards(mz_plan_reader *r)
{
    const mz_symbolic_plan *s = r->symbolic;
    bool *guards = mz_allocate_zeroed(s->guard_count + 1, sizeof *guards);
    bool *plans = mz_allocate_zeroed(s->plan_count + 1, sizeof *plans);
    guards[0] = true;
    plans[0] = s->guard_count == 0;
    for (size_t i = 0; i < s->guard_count && !r->lines.error->set; i++) {
        note_target(r, s->guards[i].holds, guards, plans);
        if (!r->lines.error->set)
            note_target(r, s->guards[i].fails, guards, plans);
    }
    for (size_t i = 0; i < s->guard_count && !r->lines.error->set; i++)
        if (!guards[i])
            mz_lines_wrong(&r->lines, "nothing leads to guard %zu", i);
    for (size_t i = 0; i < s->plan_count && !r->lines.error->set; i++)
        if (!plans[i])
            mz_lines_wrong(&r->lines, "nothing leads to plan %zu", i);
    mz_release(guards);
    mz_release(plans);
    if (!r->lines.error->set)
        check_times(r);
}
