/* Strategies: what to do next, whatever the inputs turn out to be. */
#include "safe/verify/strategy.h"

#include "models.h"

typedef struct sought {
    model_under_test model;
    mz_execution *execution;
    mz_strategy strategy;
    bool found;
    size_t looked_at; /* leaves, as they were found */
} sought;

static void look(void *context, const mz_execution *x)
{
    sought *s = context;
    assert_true(x->length > 0);
    s->looked_at++;
}

static void seek(sought *s, const char *source, mz_first_trace rule, bool only_rule, uint64_t most_events)
{
    *s = (sought){.model = load_model(source)};
    s->execution = mz_execution_create(s->model.machine, true);
    mz_strategy_goal wish = {
        .rule = rule, .only_rule = only_rule, .most_events = most_events, .leaf = look, .context = s};
    mz_limits limits = {.depth = 100};
    s->found = mz_strategy_find(s->model.machine, s->execution, &wish, &limits, &s->strategy);
}

static void end(sought *s)
{
    mz_strategy_release(&s->strategy);
    mz_execution_destroy(s->execution);
    unload_model(&s->model);
}

/* "10(2)0": whose events, and what was chosen in them. */
static const char *words_of(const mz_schedule *s)
{
    static char result[200];
    size_t length = 0;
    for (size_t i = 0; i < s->length; i++) {
        length += (size_t)snprintf(result + length, sizeof result - length, "%u", s->threads[i]);
        for (size_t c = i > 0 ? s->choice_ends[i - 1] : s->initial_choices; c < s->choice_ends[i]; c++)
            length +=
                (size_t)snprintf(result + length, sizeof result - length, "(%d)", (int)s->choices[c].value);
    }
    result[length] = 0;
    return result;
}

/* The first process looks at x, and fails if it was 0 and 2 is chosen then. */
#define READS_TOO_EARLY                                                                                      \
    "<2, x 1, y 1, local l 1, local r 1> [ l := x  r := choose(0, 2)  y := r  assert r != 2 || l == 1 ] [ "  \
    "x := 1 ]"

static void a_rule_is_one_if_it_ends_well(void **state)
{
    (void)state;
    sought s;
    seek(&s, "<2, x 1, y 1, local r 1> [ x := 1  r := choose(0, 2)  y := r ] [ y := 7 ]", MZ_FIRST_SEQUENTIAL,
         true, 1000);
    assert_true(s.found && s.strategy.reads_later);
    assert_int_equal(s.strategy.count, 3);
    assert_int_equal(s.looked_at, 3);
    assert_string_equal(words_of(&s.strategy.leaves[0]), "0(0)01");
    assert_string_equal(words_of(&s.strategy.leaves[2]), "0(2)01");
    assert_int_equal(mz_schedule_last_read(s.model.machine, &s.strategy.leaves[2], SIZE_MAX), 1);
    assert_int_equal(mz_schedule_last_read(s.model.machine, &s.strategy.leaves[2], 1), 0);
    end(&s);
}

static void one_is_searched_for(void **state)
{
    (void)state;
    sought s;
    seek(&s, READS_TOO_EARLY, MZ_FIRST_SEQUENTIAL, true, 1000);
    assert_true(!s.found && s.strategy.reads_later);
    end(&s);
    seek(&s, READS_TOO_EARLY, MZ_FIRST_SEQUENTIAL, false, 1000);
    assert_true(s.found);
    assert_int_equal(s.strategy.count, 3); /* what came to nothing is forgotten */
    assert_int_equal(s.strategy.events, 9);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(s.strategy.leaves[i].threads[0], 1);
    end(&s);
    seek(&s, READS_TOO_EARLY, MZ_FIRST_SEQUENTIAL, false, 4); /* not so soon */
    assert_false(s.found);
    end(&s);
}

/* For each value there is an execution, but when it is known it is too late. */
static void there_may_be_none(void **state)
{
    (void)state;
    sought s;
    seek(&s,
         "<2, x 1, local l 1, local r 1> [ x := 1 ] "
         "[ x := 2  l := x  r := choose(1, 2)  assert l == r ]",
         MZ_FIRST_FAIR, false, 100000);
    assert_true(!s.found && s.strategy.reads_later && !s.strategy.is_too_large);
    assert_int_equal(s.strategy.count, 0);
    end(&s);
}

/* If the first process looks at x[0] first, it is too early if 0 is chosen, but not if it is 1. */
static void who_has_lost_with_one_value_is_tried_with_another(void **state)
{
    (void)state;
    sought s;
    seek(&s,
         "<2, x 2, m 1> [ if x[0] == 1 { } else { x[0] := 2 / x[1] } ] [ lock m[0]  x[choose(0, 1)] := 1 ]",
         MZ_FIRST_SEQUENTIAL, false, 1000);
    assert_true(s.found);
    assert_int_equal(s.strategy.count, 2);
    end(&s);
}

/* How many are read depends on what was read, and so does what follows. */
static void it_branches(void **state)
{
    (void)state;
    sought s;
    seek(
        &s,
        "<1, x 1, local r 1, local q 1> [ x := 1  r := choose(0, 1)  if r == 1 { x := 2  q := choose(0, 2) } "
        "x := 3 ]",
        MZ_FIRST_FAIR, true, 1000);
    assert_true(s.found);
    assert_int_equal(s.strategy.count, 4);
    end(&s);
}

static void too_many_are_not_kept(void **state)
{
    (void)state;
    sought s;
    seek(&s, "<1, x 1, local r 1> [ x := 1  r := choose(0, 99)  x := r  r := choose(0, 99)  x := r ]",
         MZ_FIRST_FAIR, true, 1000000);
    assert_true(!s.found && s.strategy.is_too_large);
    assert_int_equal(s.strategy.count, MZ_MOST_CASES);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_is_one_if_it_ends_well),
        cmocka_unit_test(one_is_searched_for),
        cmocka_unit_test(there_may_be_none),
        cmocka_unit_test(who_has_lost_with_one_value_is_tried_with_another),
        cmocka_unit_test(it_branches),
        cmocka_unit_test(too_many_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
