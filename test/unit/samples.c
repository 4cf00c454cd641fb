/* Searches that visit a sample only: what they may claim, and random walks. */
#include "checks.h"

/* It visits everything, but claims to visit a sample. */
static void run_sample(mz_search *search)
{
    mz_find_algorithm("full")->run(search);
}

static void a_sample_is_never_safe(void **state)
{
    (void)state;
    static const mz_algorithm sample = {.name = "sample", .samples = "random", .run = run_sample};
    static const struct {
        const char *source;
        mz_search_options options;
        mz_verdict verdict;
        const char *reason;
    } cases[] = {
        {"<2, x 1> [ x := 1 ] [ x := 2 ]", {0}, MZ_INCOMPLETE, "2 random executions, no error found"},
        {"<1, x 1> [ x := 1 ]", {0}, MZ_INCOMPLETE, "1 random execution, no error found"},
        {"<1, x 1> [ assert x == 1 ]", {.checks = MZ_FAILURES_ALL}, MZ_UNSAFE, ""},
        {"<2, x 1> [ x := 1 ] [ x := 2 ]", {.limits = {.traces = 1}}, MZ_INCOMPLETE, "(--max-traces)"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        checked *c = prepare(cases[i].source, &cases[i].options);
        mz_algorithm_run(&sample, &c->search);
        assert_verdict(c, cases[i].verdict);
        assert_contains(mz_text_string(&c->search.reason), cases[i].reason);
        finish(c);
    }
}

/* ---- random walks ---------------------------------------------------------------------------------- */

typedef struct firsts {
    uint64_t by_thread[3], by_choice[4];
} firsts;

static void note_first(void *context, mz_search *search, mz_leaf leaf)
{
    firsts *f = context;
    const mz_execution *x = search->execution;
    (void)leaf;
    f->by_thread[x->events[0].thread]++;
    if (x->initial_choices > 0)
        f->by_choice[x->choices[0].value]++;
}

static firsts walk_at_random(const char *source, uint64_t runs, uint64_t seed)
{
    firsts f = {0};
    checked *c = prepare(source, &(mz_search_options){.runs = runs, .seed = seed});
    c->search.observe = note_first;
    c->search.observe_context = &f;
    mz_algorithm_random.run(&c->search);
    assert_int_equal(c->search.statistics.executions, runs);
    finish(c);
    return f;
}

/* The thread with more to do is no likelier to begin; nor is a number that is chosen before that. */
static void whoever_can_go_on_is_equally_likely(void **state)
{
    (void)state;
    firsts f =
        walk_at_random("<3, x 1, local l 1> [ x := 1  x := 2  x := 3 ] [ x := 4 ] [ x := 5 ]", 3000, 0);
    for (size_t i = 0; i < LENGTH(f.by_thread); i++)
        assert_in_range(f.by_thread[i], 900, 1100);
    f = walk_at_random("<2, x 1, local l 1> [ l := choose(0, 3)  x := l ] [ x := 1 ]", 4000, 0);
    for (size_t i = 0; i < LENGTH(f.by_choice); i++)
        assert_in_range(f.by_choice[i], 900, 1100);
}

static void a_seed_is_a_sample(void **state)
{
    (void)state;
    const char *source = "<3, x 1> [ x := 1 ] [ x := 2 ] [ x := 3 ]";
    firsts one = walk_at_random(source, 500, 1), again = walk_at_random(source, 500, 1),
           other = walk_at_random(source, 500, 2);
    assert_memory_equal(&one, &again, sizeof one);
    assert_memory_not_equal(&one, &other, sizeof one);
}

/* One execution in a hundred thousand is not pruned, and fails. */
static void a_sample_that_is_pruned_says_nothing_of_the_rest(void **state)
{
    (void)state;
    checked *c = prepare("<1, local l 1> [ l := choose(0, 100000)  assume l == 7  assert l != 7 ]",
                         &(mz_search_options){.runs = 10});
    mz_algorithm_run(&mz_algorithm_random, &c->search);
    assert_incomplete(c, "10 random executions, none came to its end: assumptions prune them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_never_safe),
        cmocka_unit_test(whoever_can_go_on_is_equally_likely),
        cmocka_unit_test(a_seed_is_a_sample),
        cmocka_unit_test(a_sample_that_is_pruned_says_nothing_of_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
