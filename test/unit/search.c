#include "search/search.h"

#include "checks.h"
#include "search/sleep.h"

/* ---- an algorithm of one's own ------------------------------------------------------------------------ */

typedef struct walks {
    uint64_t wanted, asked;
} walks;

/* The highest thread, again and again from the beginning, so many times. */
static bool take_highest(mz_search *search, mz_node *node, uint32_t *thread)
{
    walks *w = search->algorithm_data;
    w->asked++;
    *thread = mz_threads_last(node->enabled);
    return search->statistics.executions < w->wanted;
}

static size_t to_the_beginning(mz_search *search)
{
    (void)search;
    return 0;
}

static void do_nothing(mz_search *search, mz_node *node)
{
    (void)search;
    (void)node;
}

/* Who says nothing of defaults is asked at every step, and nowhere else. */
static void an_algorithm_that_walks(void **state)
{
    (void)state;
    walks w = {.wanted = 5};
    checked *c =
        prepare("<2, x 1> [ x := 1  x := 2 ] [ x := 3 ]", &(mz_search_options){.limits = {.events = 1000}});
    c->search.algorithm_data = &w;
    mz_explore_depth_first(
        &c->search,
        &(mz_depth_first){.enter = do_nothing, .next = take_highest, .return_to = to_the_beginning});
    assert_int_equal(c->search.statistics.executions, 5);
    assert_int_equal(w.asked, 5 * 3 + 1);
    assert_verdict(c, MZ_SAFE);
    finish(c);
}

/* ---- verdicts and counts --------------------------------------------------------------------------- */

static void safe_programs(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "<0>",
        "<1> []",
        "<2, x 1> [ x := 1 ] [ if x == 1 ]",
        "<2, m 1, x 1, local l 1> <{2 [ lock m  l := x  x := l + 1  assert x == l + 1  unlock m ] }>",
        "<2, x 1> [ assume x == 1  assert false ] [ x := 2 ]", /* an assumption that never holds */
    };
    for (size_t i = 0; i < LENGTH(sources); i++)
        for (size_t a = 0; a < mz_algorithm_count; a++) {
            checked *c = check(sources[i], mz_algorithms[a], NULL);
            assert_verdict(c, MZ_SAFE);
            assert_int_equal(c->search.problem_count, 0);
            assert_string_equal(mz_text_string(&c->search.reason), "");
            assert_true(c->search.statistics.executions > 0);
            finish(c);
        }
}

static void unsafe_programs(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        mz_failure_kind kind;
        uint32_t thread, line;
        const char *message;
    } cases[] = {
        {"<2, x 1>\n[ x := 1 ]\n[ assert x == 0 ]", MZ_FAIL_ASSERTION, 1, 3,
         "assertion failed: assert x == 0"},
        {"<2, a 2>\n[ lock a[0] lock a[1] unlock a[1] unlock a[0] ]\n[ lock a[1]\n lock a[0] unlock a[0] "
         "unlock a[1] ]",
         MZ_FAIL_DEADLOCK, 0, 2,
         "deadlock: process 0 waits for a[1], held by process 1; process 1 waits for a[0], held by process "
         "0"},
        {"<2, x 1>\n[ await x == 2 ]\n[ x := 1 ]", MZ_FAIL_DEADLOCK, 0, 2,
         "deadlock: process 0 waits for x == 2"},
        {"<2, i 1, a 2>\n[ i := 2 ]\n[ a[i] := 1 ]", MZ_FAIL_INDEX, 1, 3, "index 2 is outside 'a'"},
        {"<2, d 1 1, r 1>\n[ d := 0 ]\n[ r := 1 / d ]", MZ_FAIL_DIVISION, 1, 3, "division by zero"},
        {"<2, m 1>\n[ lock m ]\n[ unlock m ]", MZ_FAIL_LOCK, 1, 3, "unlock of a lock that"},
        {"<1, x 1, local l 1>\n[ l := x\n x := choose(1, l) ]", MZ_FAIL_CHOICE, 0, 3,
         "nothing to choose from"},
        {"<1, x 1>\n[ x := choose(0, 5)\n assert x != 4 ]", MZ_FAIL_ASSERTION, 0, 3, "x != 4"},
        {"<1, local l 1>\n[ l := choose(0, 3)\n assert l != 3 ]", MZ_FAIL_ASSERTION, 0, 3, "l != 3"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (size_t a = 0; a < mz_algorithm_count; a++) {
            if (mz_algorithms[a]->samples) /* it may miss it */
                continue;
            checked *c = check(cases[i].source, mz_algorithms[a], NULL);
            assert_verdict(c, MZ_UNSAFE);
            assert_int_equal(c->search.problem_count, 1);
            const mz_failure *failure = &c->search.problems[0].failure;
            assert_int_equal(failure->kind, cases[i].kind);
            assert_int_equal(failure->thread, cases[i].thread);
            assert_int_equal(failure->position.line, cases[i].line);
            assert_contains(mz_text_string(&failure->message), cases[i].message);
            finish(c);
        }
}

static void only_what_is_checked_is_an_error(void **state)
{
    (void)state;
    const char *source = "<2, x 1, m 1> [ assert x == 1  x := 1 / x ] [ lock m lock m ]";
    static const struct {
        uint32_t checks;
        mz_verdict verdict;
    } cases[] = {
        {1u << MZ_FAIL_ASSERTION, MZ_UNSAFE},
        {1u << MZ_FAIL_DIVISION, MZ_UNSAFE},
        {1u << MZ_FAIL_INDEX, MZ_SAFE},
        {1u << MZ_FAIL_CHOICE, MZ_SAFE},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        checked *c = check(source, &mz_algorithm_source, &(mz_search_options){.checks = cases[i].checks});
        assert_verdict(c, cases[i].verdict);
        if (c->search.problem_count > 0)
            assert_int_equal(1u << c->search.problems[0].failure.kind, cases[i].checks);
        finish(c);
    }
}

static uint64_t count_traces(const char *source, const mz_algorithm *algorithm)
{
    checked *c = check(source, algorithm, &(mz_search_options){.all_errors = true});
    assert_false(c->search.incomplete);
    uint64_t traces = c->search.statistics.traces;
    finish(c);
    return traces;
}

static void known_counts(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        uint64_t interleavings, traces;
    } cases[] = {
        {"<0>", 1, 1},
        {"<2, x 2> <{2 [ x[$] := 1  x[$] := 2 ] }>", 6, 1},
        {"<2, x 1> [ x := 1 ] [ x := 2 ]", 2, 2},
        {"<3, x 1> <{3 [ x := $ ] }>", 6, 6},
        {"<3, x 1> [ x := 1 ] [ if x == 0 ] [ if x == 0 ]", 6, 4},
        {"<4, x 4> <{4 [ x[($ + 1) % 4] := x[$] ] }>", 24, 14}, /* ring(4): 2^4 - 2 */
        {"<3, x 1, m 1> <{3 [ lock m  x := x + 1  unlock m ] }>", 6, 6},
        {"<1, x 1> [ x := choose(0, 3)  x := choose(0, 1) ]", 8, 8},
        {"<2, x 1, local l 1> <{2 [ l := choose(0, 2)  x := l ] }>", 18, 18},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(count_traces(cases[i].source, &mz_algorithm_full), cases[i].interleavings);
        assert_int_equal(count_traces(cases[i].source, &mz_algorithm_source), cases[i].traces);
    }
}

/* `source` against every interleaving: the same set of traces, none of them twice. */
static void assert_same_traces(const char *source)
{
    mz_search_options options = {.all_errors = true};
    checked *full = check_observed(source, &mz_algorithm_full, &options);
    checked *reduced = check_observed(source, &mz_algorithm_source, &options);
    if (reduced->traces.count != full->traces.count || reduced->repeated > 0)
        fail_msg("%s: %zu traces, of which %zu were found and %llu repeated", source, full->traces.count,
                 reduced->traces.count, (unsigned long long)reduced->repeated);
    size_t before = full->traces.count;
    mz_hash_set_add_all(&full->traces, &reduced->traces);
    assert_int_equal(full->traces.count, before);
    assert_int_equal(mz_search_verdict(&full->search), mz_search_verdict(&reduced->search));
    assert_int_equal(full->search.problem_count, reduced->search.problem_count);
    finish(full);
    finish(reduced);
}

static void every_trace_exactly_once(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "<3, x 2> [ x[x[1]] := 0  x[1] := 0 ] [ if x[1] == 0  x[1] := 1 ] [ if x[0] == 0 ]",
        "<3, m 2, x 1> [ lock m[0] lock m[1] unlock m[1] unlock m[0] ] [ lock m[1] x := 1 ] [ lock m[0] "
        "unlock m[0] ]",
        "<3, m 2> [ lock m[0] lock m[1] ] [ lock m[1] lock m[0] ] [ lock m[0] unlock m[0] ]",
        "<3, x 1, y 1> [ await x == 1  y := 1 ] [ x := 1  x := 2 ] [ x := y  x := 1 ]",
        "<3, x 1, y 1> [ await x == 1 || y == 1  x := 3 ] [ x := 1 ] [ y := 1  x := 2 ]",
        "<4, t 2> <{4 [ if cas(t[$ % 2], 0, 1) == 0 { cas(t[($ + 1) % 2], 0, 1) } ] }>",
        "<3, x 2, y 1> [ atomic { if x[0] == 0 { y := 1 } else { x[1] := 1 } } ] [ x[0] := 1  y := 2 ] [ if "
        "x[1] == y ]",
        "<3, x 1, y 1, local l 1> [ l := choose(0, 1)  x := l ] [ if x == 1 { y := 1 } ] [ y := 2  x := 2 ]",
        "<3, x 1, y 1> [ assume x == 0  y := 1 ] [ x := 1 ] [ if y == 0  x := 2 ]",
        "<3, x 1, y 1> [ assert x == 0  y := 1 ] [ x := 1 ] [ if y == 0  x := 2 ]",
        "<3, x 1, y 1 1> [ x := 1 / y ] [ y := 0 ] [ if x == 0 ]",
        "<3, x 1, y 1 1> [ if x == 0 ] [ y := 0 ] [ x := 1 / y ]",
        "<3, m 1> [ lock m  unlock m ] [ unlock m ] [ lock m ]",
    };
    for (size_t i = 0; i < LENGTH(sources); i++)
        assert_same_traces(sources[i]);
}

/* x := c[y] writes x only if the index is good: its footprint depends on what it reads. */
static void every_trace_with_an_index_that_may_fail(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "<3, x 1, y 1, z 1, const c 1 1, local k 1> [ y := c[x] ] [ x := 1 ] [ k[y] := z  k[x] := z  if y == "
        "0 ]",
        "<4, x 1, y 1 1, const c 1 1> [ y := c[x] ] [ x := c[x] ] [ if x == 0 ] [ y := c[y] ]",
        "<3, x 1, y 1, z 1, const c 1> [ y := c[x]  if x == 0  y := c[x] ] [ x := 1  x := c[x] ] [ z := c[x] "
        " y := 0 ]",
        "<3, x 1, y 1, z 1, local k 1> [ y := k[x]  if x == 0  y := k[x] ] [ x := 1  x := k[x] ] [ z := k[x] "
        " y := 0 ]",
    };
    for (size_t i = 0; i < LENGTH(sources); i++)
        assert_same_traces(sources[i]);
}

static void leaves_are_counted_and_observed(void **state)
{
    (void)state;
    const char *source =
        "<4, x 1, m 1> [ lock m  assume x == 0 ] [ x := 1 ] [ lock m  unlock m ] [ assert x == 0 ]";
    for (size_t a = 0; a < mz_algorithm_count; a++) {
        checked *c = check_observed(source, mz_algorithms[a], &(mz_search_options){.all_errors = true});
        const mz_statistics *n = &c->search.statistics;
        uint64_t all = 0;
        for (size_t i = 0; i < LENGTH(c->leaves); i++)
            all += c->leaves[i];
        assert_int_equal(n->executions, all);
        assert_int_equal(n->traces + n->repeated, c->leaves[MZ_LEAF_COMPLETE] + c->leaves[MZ_LEAF_DEADLOCK] +
                                                      c->leaves[MZ_LEAF_FAILED]);
        assert_int_equal(n->pruned, c->leaves[MZ_LEAF_PRUNED]);
        assert_int_equal(n->blocked, c->leaves[MZ_LEAF_BLOCKED]);
        assert_true(c->leaves[MZ_LEAF_DEADLOCK] > 0 && c->leaves[MZ_LEAF_FAILED] > 0 &&
                    c->leaves[MZ_LEAF_PRUNED] > 0);
        assert_int_equal(n->revisited, c->leaves[MZ_LEAF_VISITED]);
        assert_true(n->revisited == 0 || mz_algorithms[a]->in_levels);
        finish(c);
    }
}

/* x goes from 0 to 3 only if the two take turns: the first is interrupted once, and so is the second. */
static void levels_of_preemptions(void **state)
{
    (void)state;
    const char *source = "<2, x 1> [ if x == 0 { x := 1 } if x == 2 { x := 3 } ]"
                         "[ if x == 1 { x := 2 } assert x != 3 ]";
    mz_search_options options = {.bounds_preemptions = true, .preemptions = 0};
    assert_incomplete(check(source, &mz_algorithm_bounded, &options),
                      "no error with at most 0 preemptions (--preemptions)");
    options.preemptions = 1;
    assert_incomplete(check(source, &mz_algorithm_bounded, &options),
                      "no error with at most 1 preemption (--preemptions)");
    for (options.preemptions = 2; options.preemptions < 4; options.preemptions++) {
        checked *c = check(source, &mz_algorithm_bounded, &options);
        assert_verdict(c, MZ_UNSAFE);
        finish(c);
    }
    options.preemptions = 0;
    checked *c = check("<2, x 1> [ x := 1 ] [ x := 2 ]", &mz_algorithm_bounded, &options);
    assert_verdict(c, MZ_SAFE); /* nobody can be preempted: there is nothing more */
    finish(c);
    options = (mz_search_options){.bounds_preemptions = true, .preemptions = 9, .limits = {.events = 200}};
    assert_incomplete(
        check("<4, x 1> <{4 [ x := x + 1  x := x + 2  x := x + 3 ] }>", &mz_algorithm_bounded, &options),
        "(--max-events); no error with at most 0 preemptions");
}

static void visited_states_are_pruned(void **state)
{
    (void)state;
    checked *c = check_observed("<3, x 3> <{3 [ x[$] := 1  x[$] := 2 ] }>", &mz_algorithm_full,
                                &(mz_search_options){.stateful = true});
    assert_verdict(c, MZ_SAFE);
    assert_int_equal(c->search.visited_states, 27); /* three positions in each of three processes */
    assert_int_equal(c->search.statistics.traces, 1);
    assert_int_equal(c->search.statistics.revisited, c->leaves[MZ_LEAF_VISITED]);
    assert_int_equal(c->search.statistics.events, 3 * 2 * 3 * 3); /* every edge of the cube once */
    finish(c);
    c = check("<2, x 1> [ while x != 2 { } ] [ while x == 0 { x := 0 } ]", &mz_algorithm_full,
              &(mz_search_options){.stateful = true});
    assert_verdict(c, MZ_SAFE); /* endless executions, finitely many states */
    finish(c);
}

/* ---- errors -------------------------------------------------------------------------------------- */

static void all_errors_are_collected_once_each(void **state)
{
    (void)state;
    const char *source =
        "<3, x 1>\n[ assert x != 1  assert x != 2 ]\n[ x := 1 ]\n[ x := 2\n  assert x == 2 ]";
    for (size_t a = 0; a < mz_algorithm_count; a++) {
        if (mz_algorithms[a]->samples)
            continue;
        checked *c = check(source, mz_algorithms[a], &(mz_search_options){.all_errors = true});
        assert_verdict(c, MZ_UNSAFE);
        assert_int_equal(c->search.problem_count, 3);
        unsigned seen = 0;
        for (size_t i = 0; i < 3; i++) {
            const mz_problem *problem = &c->search.problems[i];
            assert_true(problem->occurrences >= 1);
            seen |= problem->failure.thread == 2 ? 4 : problem->failure.position.column == 3 ? 1 : 2;
        }
        assert_int_equal(seen, 7);
        finish(c);
        c = check(source, mz_algorithms[a], NULL);
        assert_int_equal(c->search.problem_count, 1); /* without: the first ends the search */
        finish(c);
    }
}

static void occurrences_are_counted(void **state)
{
    (void)state;
    checked *c = check("<2, x 1> [ assert x == 1 ] [ x := 0  x := 0 ]", &mz_algorithm_full,
                       &(mz_search_options){.all_errors = true});
    assert_int_equal(c->search.problem_count, 1);
    assert_int_equal(c->search.problems[0].occurrences, 3); /* before, between and after the writes */
    finish(c);
}

/* ---- sleep sets ------------------------------------------------------------------------------------ */

/* Those of `asleep` that still sleep after what the model has just done. */
static mz_threads still_asleep(mz_search *search, const model_under_test *m, mz_threads asleep,
                               uint32_t thread)
{
    mz_node node = {.sleep = asleep & 6,
                    .done = asleep & ~(mz_threads)6}; /* it does not matter why they sleep */
    return mz_sleep_after(search, &node, thread, &m->executed);
}

static void sleepers_wake_up_by_conflicts_only(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<5, x 1, y 1, a 2> [ x := 1 ] [ if x == 0 ] [ if y == 0 ] [ a[x] := 1 ] [ x := 2 ]");
    mz_search search = {.machine = m.machine, .execution = mz_execution_create(m.machine, true)};
    step_model(&m, 0);
    assert_int_equal(still_asleep(&search, &m, 2 | 4 | 8 | 16, 0), 4); /* only who does not touch x */
    assert_int_equal(search.execution->dependency_checks, 4);
    step_model(&m, 2);
    assert_int_equal(still_asleep(&search, &m, 2 | 8 | 16, 2), 2 | 8 | 16);
    step_model(&m, 1); /* a read of x: readers of x sleep on, its writer wakes up */
    assert_int_equal(still_asleep(&search, &m, 8 | 16, 1), 8);
    assert_int_equal(still_asleep(&search, &m, 2, 1), 0); /* who has just moved does not sleep */
    assert_int_equal(search.execution->dependency_checks, 9);
    mz_execution_destroy(search.execution);
    unload_model(&m);
}

static void sleep_set_blocked_executions_are_no_traces(void **state)
{
    (void)state;
    /* One writer, several readers of two variables: source sets alone cannot avoid redundant beginnings. */
    const char *source =
        "<4, x 1, y 1, z 1> [ x := 1 ] [ if y == 0  if x == 0 ] [ if z == 0  if x == 0 ] [ y := 1  z := 1 ]";
    checked *full = check_observed(source, &mz_algorithm_full, NULL);
    checked *reduced = check_observed(source, &mz_algorithm_source, NULL);
    assert_int_equal(reduced->search.statistics.traces, full->traces.count);
    assert_int_equal(reduced->traces.count, full->traces.count);
    assert_int_equal(reduced->search.statistics.executions,
                     reduced->search.statistics.traces + reduced->search.statistics.blocked);
    assert_int_equal(reduced->leaves[MZ_LEAF_BLOCKED], reduced->search.statistics.blocked);
    assert_true(full->search.statistics.traces > reduced->search.statistics.executions);
    finish(full);
    finish(reduced);
}

static void algorithms_are_found_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < mz_algorithm_count; i++)
        assert_ptr_equal(mz_find_algorithm(mz_algorithms[i]->name), mz_algorithms[i]);
    assert_ptr_equal(mz_find_algorithm("source"), &mz_algorithm_source);
    assert_null(mz_find_algorithm("sourc"));
    assert_null(mz_find_algorithm(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_algorithm_that_walks),
        cmocka_unit_test(safe_programs),
        cmocka_unit_test(unsafe_programs),
        cmocka_unit_test(only_what_is_checked_is_an_error),
        cmocka_unit_test(known_counts),
        cmocka_unit_test(every_trace_exactly_once),
        cmocka_unit_test(every_trace_with_an_index_that_may_fail),
        cmocka_unit_test(leaves_are_counted_and_observed),
        cmocka_unit_test(levels_of_preemptions),
        cmocka_unit_test(visited_states_are_pruned),
        cmocka_unit_test(all_errors_are_collected_once_each),
        cmocka_unit_test(occurrences_are_counted),
        cmocka_unit_test(sleepers_wake_up_by_conflicts_only),
        cmocka_unit_test(sleep_set_blocked_executions_are_no_traces),
        cmocka_unit_test(algorithms_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
