/* Guards: learned from tables, and what is learned says the same as the table, for every row. */
#include "safe/plan/guards.h"

#include "base/memory.h"
#include "support.h"

enum { MOST_ROWS = 2048 };

typedef struct table {
    mz_symbolic_plan symbolic;
    mz_guard_row *rows;
    size_t count;
} table;

static table begin(size_t inputs, const int64_t ranges[][2])
{
    static const char *const names[] = {"x", "y", "z", "n"};
    table t = {.rows = mz_allocate_zeroed(MOST_ROWS, sizeof *t.rows)};
    mz_symbolic_init(&t.symbolic);
    for (size_t i = 0; i < inputs; i++)
        mz_symbolic_add_input(&t.symbolic, names[i], ranges[i][0], ranges[i][1]);
    return t;
}

static void end(table *t)
{
    mz_symbolic_release(&t->symbolic);
    mz_release(t->rows);
}

/* Every combination of values of the inputs from the number `input` on; an input that `is_read` does not want
 * is left out. */
static void add_rows(table *t, mz_valuation v, size_t input, bool (*is_read)(const mz_valuation *, size_t))
{
    if (input == t->symbolic.input_count) {
        assert_true(t->count < MOST_ROWS);
        t->rows[t->count++].valuation = v;
        return;
    }
    if (is_read && !is_read(&v, input)) {
        add_rows(t, v, input + 1, is_read);
        return;
    }
    const mz_plan_input *in = &t->symbolic.inputs[input];
    v.known |= UINT64_C(1) << input;
    for (int64_t value = in->low; value <= in->high; value++) {
        v.values[input] = value;
        add_rows(t, v, input + 1, is_read);
    }
}

static void learn(table *t)
{
    for (size_t i = 0; i < t->count; i++)
        while (t->symbolic.plan_count <= t->rows[i].plan)
            mz_symbolic_add_plan(&t->symbolic);
    assert_true(mz_guards_learn(&t->symbolic, t->rows, t->count));
}

static uint32_t decide(const table *t, const mz_valuation *v)
{
    return t->symbolic.guard_count ? mz_guard_decide(t->symbolic.guards, 0, v)
                                   : MZ_GUARD_PLAN | t->rows[0].plan; /* there is but one */
}

static void is_exact(const table *t)
{
    for (size_t i = 0; i < t->count; i++)
        assert_int_equal(decide(t, &t->rows[i].valuation), MZ_GUARD_PLAN | t->rows[i].plan);
}

/* ---- what is found ----------------------------------------------------------------------------------------
 */

static uint32_t x_equals_y(const int64_t *v)
{
    return v[0] == v[1];
}

static uint32_t y_is_at_most_3(const int64_t *v)
{
    return v[1] <= 3;
}

static uint32_t x_is_2(const int64_t *v)
{
    return v[0] == 2;
}

static uint32_t both(const int64_t *v)
{
    return v[0] == v[1] && v[1] <= 3;
}

static uint32_t x_is_less(const int64_t *v)
{
    return v[0] < v[1];
}

static uint32_t order(const int64_t *v)
{
    return v[0] < v[1] ? 0 : v[0] == v[1] ? 1 : 2;
}

static uint32_t in_the_middle(const int64_t *v)
{
    return v[0] >= 2 && v[0] <= 4;
}

static void the_simplest_guards_are_found(void **state)
{
    (void)state;
    static const int64_t ranges[][2] = {{0, 6}, {0, 5}, {-1, 1}};
    static const struct {
        uint32_t (*plan)(const int64_t *);
        size_t guards;
        const char *applies; /* plan 1 */
    } tables[] = {
        {x_equals_y, 1, "x == y"},
        {y_is_at_most_3, 1, "y <= 3"},
        {x_is_2, 1, "x == 2"},
        {both, 2, "x == y and x <= 3"},
        {x_is_less, 1, "x < y"},
        {order, 2, "x == y"},
        {in_the_middle, 2, "x >= 2 and x <= 4"},
    };
    for (size_t i = 0; i < LENGTH(tables); i++) {
        table t = begin(3, ranges);
        mz_text condition = {0};
        add_rows(&t, (mz_valuation){0}, 0, NULL);
        for (size_t r = 0; r < t.count; r++)
            t.rows[r].plan = tables[i].plan(t.rows[r].valuation.values);
        learn(&t);
        is_exact(&t);
        assert_int_equal(t.symbolic.guard_count, tables[i].guards);
        mz_symbolic_condition(&t.symbolic, 1, &condition);
        assert_string_equal(mz_text_string(&condition), tables[i].applies);
        mz_text_release(&condition);
        end(&t);
    }
}

static void one_plan_needs_no_guards(void **state)
{
    (void)state;
    static const int64_t ranges[][2] = {{0, 6}};
    table t = begin(1, ranges);
    add_rows(&t, (mz_valuation){0}, 0, NULL);
    learn(&t);
    assert_int_equal(t.symbolic.guard_count, 0);
    end(&t);
}

/* ---- random tables ----------------------------------------------------------------------------------------
 */

/* The third input is read only if the first two say so, the fourth only if the third was. */
static bool is_read(const mz_valuation *v, size_t input)
{
    return input < 2 || (input == 2 ? v->values[0] <= v->values[1] : v->known >> 2 & 1);
}

/* Nothing that a row has not read is asked for. */
static void asks_only_for_what_is_read(const table *t)
{
    for (size_t i = 0; i < t->count; i++)
        assert_true(decide(t, &t->rows[i].valuation) & MZ_GUARD_PLAN);
}

static void random_tables_are_learned(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        int64_t ranges[4][2];
        size_t inputs = 1 + random_below(&seed, 4), plans = 1 + random_below(&seed, round % 60 == 0 ? 40 : 4);
        for (size_t i = 0; i < inputs; i++) {
            ranges[i][0] = (int64_t)random_below(&seed, 9) - 4;
            ranges[i][1] = ranges[i][0] + (int64_t)random_below(&seed, 5);
        }
        table t = begin(inputs, (const int64_t(*)[2])ranges);
        add_rows(&t, (mz_valuation){0}, 0, inputs > 2 && round % 2 ? is_read : NULL);
        for (size_t r = 0; r < t.count; r++)
            t.rows[r].plan = (uint32_t)random_below(&seed, (uint32_t)plans);
        learn(&t);
        is_exact(&t);
        asks_only_for_what_is_read(&t);
        end(&t);
    }
}

/* Large ones, too, and in a time that nobody waits for. */
static void large_tables_are_learned(void **state)
{
    (void)state;
    static const int64_t ranges[][2] = {{0, 31}, {-31, 31}};
    uint64_t seed = 7;
    for (uint32_t plans = 2; plans < 500; plans *= 6) {
        table t = begin(2, ranges);
        add_rows(&t, (mz_valuation){0}, 0, NULL);
        for (size_t r = 0; r < t.count; r++) /* not too wild for the tree to be small enough */
            t.rows[r].plan =
                (uint32_t)((uint64_t)(t.rows[r].valuation.values[1] + 31) / 8 * 4 + random_below(&seed, 2)) %
                plans;
        learn(&t);
        is_exact(&t);
        end(&t);
    }
}

/* ---- inputs that are read on the way ---------------------------------------------------------------------
 */

static void add_event(mz_plan *plan, uint32_t thread, uint32_t count)
{
    plan->events = mz_grow(plan->events, &plan->event_capacity, plan->event_count + 1, sizeof *plan->events);
    plan->events[plan->event_count++] =
        (mz_plan_event){.thread = thread, .count = count, .picks = MZ_PLAN_PICKS_NOBODY, .text = ""};
    plan->prefix = plan->length = (uint32_t)plan->event_count;
}

/* Plans 2x + y: x decides about their second event, y, which is read after that, about the third. What would
 * be asked first otherwise, whether both are equal, would come too late for the second. */
static void nothing_is_asked_too_late(void **state)
{
    (void)state;
    table t = begin(2, (const int64_t[][2]){{0, 1}, {0, 1}});
    add_rows(&t, (mz_valuation){0}, 0, NULL);
    for (uint32_t plan = 0; plan < 4; plan++) {
        mz_plan *p = mz_symbolic_add_plan(&t.symbolic);
        p->thread_count = 2;
        add_event(p, 0, 1);
        add_event(p, plan / 2, 2);
        add_event(p, plan % 2, 3);
    }
    for (size_t i = 0; i < t.count; i++) {
        const mz_valuation *v = &t.rows[i].valuation;
        t.rows[i].plan = (uint32_t)(2 * v->values[0] + v->values[1]);
        t.rows[i].ranks[1] = 2;
    }
    assert_true(mz_guards_learn(&t.symbolic, t.rows, t.count));
    is_exact(&t);
    assert_int_equal(t.symbolic.guard_count, 3);
    assert_int_equal(t.symbolic.guards[0].left, 0);
    assert_int_equal(t.symbolic.guards[0].right, MZ_GUARD_CONSTANT);
    bool below[4];
    assert_int_equal(mz_symbolic_common(&t.symbolic, 0, below), 1);
    assert_int_equal(mz_symbolic_common(&t.symbolic, t.symbolic.guards[0].holds, below), 2);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simplest_guards_are_found), cmocka_unit_test(one_plan_needs_no_guards),
        cmocka_unit_test(random_tables_are_learned),     cmocka_unit_test(nothing_is_asked_too_late),
        cmocka_unit_test(large_tables_are_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
