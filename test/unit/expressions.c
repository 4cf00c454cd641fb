/* How the machine computes: dlang has the arithmetic and the precedence of C, 64 bits wide. */
#include "models.h"

/* r := expression, a to d being shared, local or constant: computed by the same rules everywhere. */
static int64_t evaluate(const char *storage, const char *expression, const int64_t *values)
{
    mz_text source = {0};
    mz_text_add(&source, "<1, r 1");
    for (int i = 0; i < 4; i++)
        mz_text_add(&source, ", %s%c 1 (%lld%s)", storage, 'a' + i,
                    (long long)(values[i] == INT64_MIN ? -INT64_MAX : values[i]),
                    values[i] == INT64_MIN ? " - 1" : "");
    mz_text_add(&source, "> [ r := %s ]", expression);
    model_under_test m = load_model(mz_text_string(&source));
    if (step_model(&m, 0) != MZ_STEP_DONE)
        fail_msg("%s: %s", mz_text_string(&source), mz_text_string(&m.machine->failures[0].message));
    int64_t result = value_of(&m, "r");
    unload_model(&m);
    mz_text_release(&source);
    return result;
}

static void assert_value(const char *expression, const int64_t *values, int64_t expected)
{
    static const char *const storages[] = {"", "local ", "const "};
    for (size_t i = 0; i < LENGTH(storages); i++) {
        int64_t got = evaluate(storages[i], expression, values);
        if (got != expected)
            fail_msg("%s with %sa = %lld, b = %lld, c = %lld, d = %lld: %lld, not %lld", expression,
                     storages[i], (long long)values[0], (long long)values[1], (long long)values[2],
                     (long long)values[3], (long long)got, (long long)expected);
    }
}

/* Each expression stands here once and is read by both: the C compiler is the reference. The missing
 * parentheses are the point. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
/* The formatter takes a * b for a declaration of b. */
/* clang-format off */
#define EXPRESSIONS(X)                                                                                       \
    X(a + b * c) X(a * b + c) X(a - b - c) X(a - b + c) X(a / b * c) X(a / b / c) X(a * b / c)               \
    X(a % b * c) X(a - b % c) X(a * b % c) X(-a - -b) X(-a * b) X(- -a) X(!a + b) X(!a == b) X(!(a == b))    \
    X(!!a) X(a < b) X(a > b) X(a <= b) X(a >= b) X(a == b) X(a != b) X(a + b < c * d) X(a - b == c - d)      \
    X(a && b) X(a || b) X(a || b && c) X(a && b || c) X((a || b) && c) X(a < b && b < c || c == d)           \
    X(a == b || c != d && a < d) X((a < b) + (c < d)) X((a + b) * (c - d)) X(a - (b - c)) X(-(a + b))        \
    X(5 && a) X(a && 5) X(0 || a) X(a || 0)
/* clang-format on */

static void precedence_and_arithmetic_are_those_of_c(void **state)
{
    (void)state;
    static const int64_t samples[] = {-7, -2, -1, 1, 2, 3, 9};
    for (uint64_t seed = 1; seed <= 25; seed++) {
        uint64_t random = seed;
        int64_t v[4];
        for (size_t i = 0; i < LENGTH(v); i++)
            v[i] = samples[random_below(&random, LENGTH(samples))]; /* not 0: division is tested elsewhere */
        int64_t a = v[0], b = v[1], c = v[2], d = v[3];
#define X(expression) assert_value(#expression, v, expression);
        EXPRESSIONS(X)
#undef X
    }
    int64_t zero[4] = {0, 0, 5, 0}, a = 0, b = 0, c = 5;
    assert_value("!a", zero, !a);
    assert_value("a && b || c", zero, a && b || c);
    assert_value("a || b && c", zero, a || b && c);
}
#pragma GCC diagnostic pop

static void arithmetic_wraps_around(void **state)
{
    (void)state;
    static const int64_t v[4] = {INT64_MAX, INT64_MIN, -1, 2};
    assert_value("a + 1", v, INT64_MIN);
    assert_value("b - 1", v, INT64_MAX);
    assert_value("-b", v, INT64_MIN);
    assert_value("b / c", v, INT64_MIN);
    assert_value("b % c", v, 0);
    assert_value("b * c", v, INT64_MIN);
    assert_value("a * d", v, -2);
    assert_value("a * a", v, 1);
    assert_value("a + a + d", v, 0);
    assert_value("a / c", v, -INT64_MAX);
    assert_value("b / d", v, INT64_MIN / 2);
    assert_value("b < a", v, 1);
}

static void short_circuits_read_only_what_they_need(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *footprint;
        int64_t value;
    } cases[] = {
        {"x == 0 && y == 7", "x:r y:r r:w", 1},
        {"x == 1 && y == 7", "x:r r:w", 0},
        {"x == 0 || y == 7", "x:r r:w", 1},
        {"x == 1 || y == 7", "x:r y:r r:w", 1},
        {"x && y", "x:r r:w", 0},
        {"y && y", "y:r r:w", 1}, /* 7 && 7 is 1 */
        {"y || x", "y:r r:w", 1},
        {"x || y", "x:r y:r r:w", 1},
        {"x && y || y", "x:r y:r r:w", 1},
        {"(x || x) && y", "x:r r:w", 0},
        {"l && y", "r:w", 0},
        {"!l && y", "y:r r:w", 1},
        {"x && 1 / x", "x:r r:w", 0}, /* the division by zero does not happen */
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mz_text source = {0};
        mz_text_add(&source, "<1, x 1, y 1 7, r 1 5, local l 1> [ r := %s ]", cases[i].expression);
        model_under_test m = load_model(mz_text_string(&source));
        assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
        assert_footprint(&m, &m.executed, cases[i].footprint);
        assert_int_equal(value_of(&m, "r"), cases[i].value);
        unload_model(&m);
        mz_text_release(&source);
    }
}

static void words_for_numbers(void **state)
{
    (void)state;
    model_under_test m = load_model("<3, r 3> <{3 [ r[pid] := pid * 100 + true * 10 + false ] }>");
    for (uint32_t t = 0; t < 3; t++)
        step_model(&m, t);
    assert_int_equal(value_of(&m, "r[0]"), 10);
    assert_int_equal(value_of(&m, "r[1]"), 110);
    assert_int_equal(value_of(&m, "r[2]"), 210);
    unload_model(&m);
}

/* Very long or very nested texts must not overflow a stack or take for ever. */
static int load_and_run(void *context)
{
    const char *source = context;
    mz_error error = {0};
    mz_model *model = mz_model_parse("test.dlang", source, strlen(source), NULL, 0, &error);
    if (!model)
        return 1; /* refusing it is fine */
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
    mz_choices choices = {0};
    mz_operation executed;
    machine->class->reset(machine, &choices);
    while (mz_threads_has(machine->status->ready, 0))
        machine->class->step(machine, 0, &choices, &executed);
    return 0;
}

static void assert_survives(mz_text *source)
{
    int result = run_in_child(load_and_run, source->bytes, 10);
    mz_text_release(source);
    if (result != 0 && result != 1)
        fail_msg("ended by signal %d", -result);
}

static void very_long_expressions(void **state)
{
    (void)state;
    mz_text source = {0};
    mz_text_add(&source, "<1, x 1, y 1>\n[ x := y");
    mz_text_add_repeated(&source, " + y", 1000000);
    mz_text_add(&source, " ]");
    assert_survives(&source);
}

static void deeply_nested_atomic_blocks(void **state)
{
    (void)state;
    mz_text source = {0};
    mz_text_add(&source, "<1, x 1>\n[ ");
    mz_text_add_repeated(&source, "atomic { ", 60);
    mz_text_add(&source, "skip");
    mz_text_add_repeated(&source, " }", 60);
    mz_text_add(&source, " x := 1 ]");
    assert_survives(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence_and_arithmetic_are_those_of_c),
        cmocka_unit_test(arithmetic_wraps_around),
        cmocka_unit_test(short_circuits_read_only_what_they_need),
        cmocka_unit_test(words_for_numbers),
        cmocka_unit_test(very_long_expressions),
        cmocka_unit_test(deeply_nested_atomic_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
