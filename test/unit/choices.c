#include "machine/choices.h"

#include "support.h"

/* One run of a program that makes choices; writes the answers into a number that names the combination. */
typedef uint64_t chooser(mz_choices *choices);

/* Goes through all combinations as the explorer does, marks each in `seen`, and returns how many there were.
 */
static size_t enumerate(chooser *run, unsigned *seen, size_t seen_count)
{
    mz_choices choices = {0};
    mz_choice *made = NULL;
    size_t prescribed = 0, made_capacity = 0, runs = 0;
    uint64_t previous = 0;
    do {
        mz_choices_prescribe(&choices, made, prescribed);
        uint64_t combination = run(&choices);
        assert_true(combination < seen_count);
        assert_true(runs == 0 || combination > previous); /* the last choice turns fastest */
        assert_true(choices.count >= prescribed);
        previous = combination;
        seen[combination]++;
        runs++;
        made = mz_grow(made, &made_capacity, choices.count, sizeof *made);
        for (size_t i = 0; i < choices.count; i++)
            made[i] = choices.made[i];
        prescribed = mz_choices_next(made, choices.count);
    } while (prescribed > 0 && runs < 10000);
    mz_release(choices.made);
    mz_release(made);
    return runs;
}

static uint64_t choose_nothing(mz_choices *choices)
{
    (void)choices;
    return 0;
}

static uint64_t choose_three(mz_choices *choices)
{
    int64_t a = mz_choose(choices, -1, 1), b = mz_choose(choices, 5, 5), c = mz_choose(choices, 0, 3);
    assert_in_range(a + 1, 0, 2);
    assert_int_equal(b, 5);
    assert_in_range(c, 0, 3);
    return (uint64_t)((a + 1) * 4 + c);
}

/* How many choices follow depends on the first, and how far a range goes on the one before. */
static uint64_t choose_dependently(mz_choices *choices)
{
    int64_t length = mz_choose(choices, 0, 4);
    uint64_t combination = (uint64_t)length;
    for (int64_t i = 0, high = 1; i < 4; i++) {
        int64_t answer = i < length ? mz_choose(choices, 0, high) : 0;
        assert_in_range(answer, 0, high);
        high = answer + 1;
        combination = combination * 6 + (uint64_t)answer;
    }
    return combination;
}

static void without_choices_there_is_one_run(void **state)
{
    (void)state;
    unsigned seen[1] = {0};
    assert_int_equal(enumerate(choose_nothing, seen, 1), 1);
    assert_int_equal(mz_choices_next(NULL, 0), 0);
}

static void every_combination_exactly_once(void **state)
{
    (void)state;
    unsigned seen[12] = {0};
    assert_int_equal(enumerate(choose_three, seen, LENGTH(seen)), 12);
    for (size_t i = 0; i < LENGTH(seen); i++)
        assert_int_equal(seen[i], 1);
}

static void dependent_choices_exactly_once(void **state)
{
    (void)state;
    static unsigned seen[5 * 6 * 6 * 6 * 6];
    /* Sequences a1 … an with a1 <= 1 and each at most one more than the one before: 1, 2, 5, 14, 42. */
    assert_int_equal(enumerate(choose_dependently, seen, LENGTH(seen)), 1 + 2 + 5 + 14 + 42);
    for (size_t i = 0; i < LENGTH(seen); i++)
        assert_in_range(seen[i], 0, 1);
}

static void prescribed_answers_come_first(void **state)
{
    (void)state;
    mz_choices choices = {0};
    const mz_choice given[] = {{.value = 7, .high = 9}, {.value = 2, .high = 2}};
    mz_choices_prescribe(&choices, given, 2);
    assert_int_equal(mz_choose(&choices, 0, 9), 7);
    assert_int_equal(mz_choose(&choices, 0, 2), 2);
    assert_int_equal(mz_choose(&choices, 3, 8), 3); /* beyond the prescription: the low end */
    assert_int_equal(choices.count, 3);
    assert_int_equal(choices.made[0].value, 7);
    assert_int_equal(choices.made[0].high, 9);
    assert_int_equal(choices.made[2].value, 3);
    assert_int_equal(choices.made[2].low, 3);
    assert_int_equal(choices.made[2].high, 8);
    mz_choices_prescribe(&choices, NULL, 0);
    assert_int_equal(choices.count, 0);
    assert_int_equal(mz_choose(&choices, 4, 6), 4);
    mz_release(choices.made);
}

static void the_ends_of_the_number_range(void **state)
{
    (void)state;
    static const int64_t order[] = {0,  INT64_MIN,     INT64_MAX,     1,
                                    -1, INT64_MIN + 1, INT64_MAX - 1, INT64_MIN + 2};
    mz_choice made[] = {{.value = 0, .low = INT64_MIN, .high = INT64_MAX},
                        {.value = INT64_MAX - 2, .low = INT64_MIN, .high = INT64_MAX}};
    for (size_t i = 1; i < LENGTH(order); i++) {
        made[1].value = INT64_MAX - 2; /* the last one */
        assert_int_equal(mz_choices_next(made, 2), 1);
        assert_int_equal(made[0].value, order[i]);
    }
    made[0].value = made[1].value = INT64_MAX - 2;
    assert_int_equal(mz_choices_next(made, 2), 0);
    assert_true(mz__cut_of_narrowed(INT64_MIN, INT64_MAX) < MZ_CHOICE_FIXED);
}

/* ---- wide ranges ----------------------------------------------------------------------------------------
 */

enum { MOST_CHOICES = 3, MOST_COMBINATIONS = 40 * 40 * 40 };

typedef struct ranges {
    size_t count;
    int64_t low[MOST_CHOICES], high[MOST_CHOICES];
} ranges;

/* All that follows the prescription, each marked; `divides`: parts of it, again and again. */
static void mark(const ranges *r, const mz_choice *given, size_t count, unsigned *seen, uint64_t divides)
{
    mz_choices choices = {0};
    mz_choice made[MOST_CHOICES], upper[MOST_CHOICES];
    for (size_t i = 0; i < count; i++)
        made[i] = given[i];
    size_t prescribed = count;
    bool more = true;
    while (more) {
        divides = mz_mix64(divides);
        if (divides % 4 == 1) {
            size_t others = mz_choices_divide(made, prescribed, upper);
            if (others > 0)
                mark(r, upper, others, seen, divides);
        }
        mz_choices_prescribe(&choices, made, prescribed);
        size_t combination = 0;
        for (size_t i = 0; i < r->count; i++)
            combination = combination * (size_t)(r->high[i] - r->low[i] + 1) +
                          (size_t)(mz_choose(&choices, r->low[i], r->high[i]) - r->low[i]);
        seen[combination]++;
        for (size_t i = 0; i < choices.count; i++)
            made[i] = choices.made[i];
        prescribed = mz_choices_next(made, choices.count);
        more = prescribed > 0;
    }
    mz_release(choices.made);
}

static ranges ranges_of(uint64_t seed)
{
    ranges r = {.count = 1 + seed % MOST_CHOICES};
    for (size_t i = 0; i < r.count; i++) {
        seed = mz_mix64(seed);
        r.low[i] = (int64_t)(seed % 50) - 35;
        r.high[i] = r.low[i] + (int64_t)(seed / 64 % 40);
    }
    return r;
}

static void divided_or_not_every_combination_comes_once(void **state)
{
    (void)state;
    static unsigned seen[MOST_COMBINATIONS];
    for (uint64_t seed = 1; seed < 60; seed++) {
        ranges r = ranges_of(seed);
        size_t combinations = 1;
        for (size_t i = 0; i < r.count; i++)
            combinations *= (size_t)(r.high[i] - r.low[i] + 1);
        memset(seen, 0, sizeof seen);
        mark(&r, NULL, 0, seen, seed);
        for (size_t i = 0; i < combinations; i++)
            assert_int_equal(seen[i], 1);
    }
}

static void zero_and_the_ends_come_first(void **state)
{
    (void)state;
    static const int64_t order[] = {0, -20, 30, 1, -1, -19, 29, -18, -17};
    mz_choice choice = {.value = mz_choice_first(-20, 30), .low = -20, .high = 30};
    for (size_t i = 0; i < LENGTH(order); i++) {
        assert_int_equal(choice.value, order[i]);
        assert_true(mz_choice_rank(&choice) == (double)i);
        assert_int_equal(mz_choices_next(&choice, 1), 1);
    }
    assert_true(mz_choice_values(&choice) == 51);
}

static void narrowed_are_the_first_values_of_wide_ranges(void **state)
{
    (void)state;
    mz_choices choices = {.narrows = true};
    mz_choose(&choices, 0, 7);
    assert_false(choices.narrowed);
    mz_choose(&choices, -1000, 1000);
    assert_true(choices.narrowed);
    size_t values = 1;
    while (mz_choices_next(choices.made + 1, 1))
        values++;
    assert_int_equal(values, 7);
    assert_true(mz_choice_values(&choices.made[1]) == 7);
    mz_release(choices.made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_choices_there_is_one_run),
        cmocka_unit_test(every_combination_exactly_once),
        cmocka_unit_test(dependent_choices_exactly_once),
        cmocka_unit_test(prescribed_answers_come_first),
        cmocka_unit_test(the_ends_of_the_number_range),
        cmocka_unit_test(divided_or_not_every_combination_comes_once),
        cmocka_unit_test(zero_and_the_ends_come_first),
        cmocka_unit_test(narrowed_are_the_first_values_of_wide_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
