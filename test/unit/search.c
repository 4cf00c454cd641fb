#include "search/search.h"

#include "checks.h"
#include "search/sleep.h"

/* ---- limits ---------------------------------------------------------------------------------------- */

/* 4 processes, 3 updates of the same cell each: 369,600 interleavings, traces, and observations. */
static const char large_model[] = "<4, x 1> <{4 [ x := x + 1  x := x + 2  x := x + 3 ] }>";

static void the_number_of_traces(void **state)
{
    (void)state;
    for (size_t i = 0; i < mz_algorithm_count; i++) {
        checked *c = check(large_model, mz_algorithms[i], &(mz_search_options){.limits = {.traces = 100}});
        assert_int_equal(c->search.statistics.traces, 100);
        assert_incomplete(c, "the limit of 100 traces was reached (--max-traces)");
    }
}

static void the_number_of_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < mz_algorithm_count; i++) {
        checked *c = check(large_model, mz_algorithms[i], &(mz_search_options){.limits = {.events = 1000}});
        assert_int_equal(c->search.statistics.events, 1000);
        assert_incomplete(c, "the limit of 1000 events was reached (--max-events)");
    }
}

static void the_depth(void **state)
{
    (void)state;
    mz_search_options options = {.limits = {.depth = 11}};
    assert_incomplete(check(large_model, &mz_algorithm_source, &options),
                      "an execution is longer than 11 events");
    options.limits.depth = 3;
    const char *just_fits = "<1, x 1> [ x := 1  x := 2  x := 3 ]";
    checked *c = check(just_fits, &mz_algorithm_source, &options);
    assert_verdict(c, MZ_SAFE); /* exactly as long as allowed */
    finish(c);
    options.limits.depth = 100;
    assert_incomplete(check("<2, x 1> [ while x == 0 { } ] [ x := 1 ]", &mz_algorithm_source, &options),
                      "--max-depth");
}

static void the_time(void **state)
{
    (void)state;
    checked *c = check(large_model, &mz_algorithm_full, &(mz_search_options){.limits = {.seconds = 1e-9}});
    assert_true(c->search.statistics.events < 5000); /* it looks at the clock early, and often enough */
    assert_incomplete(c, "the time limit of 1e-09 s was reached (--timeout)");
    c = check("<8, x 1> <{8 [ x := 1  x := 2  x := 3 ] }>", &mz_algorithm_full,
              &(mz_search_options){.limits = {.seconds = 0.05}});
    assert_true(mz_seconds_now() - c->search.started < 10);
    assert_incomplete(c, "--timeout");
}

static void the_memory(void **state)
{
    (void)state;
    assert_incomplete(
        check(large_model, &mz_algorithm_full, &(mz_search_options){.limits = {.memory = 1 << 20}}),
        "the memory limit of 1 MiB was reached (--max-memory)");
}

static void an_interrupt(void **state)
{
    (void)state;
    volatile sig_atomic_t interrupted = 1;
    assert_incomplete(
        check(large_model, &mz_algorithm_full, &(mz_search_options){.limits = {.interrupted = &interrupted}}),
        "interrupted");
}

static void endless_local_work(void **state)
{
    (void)state;
    assert_incomplete(check("<1, x 1>\n[ x := 1 while true { } ]", &mz_algorithm_source, NULL),
                      "busy without end");
    assert_incomplete(check("<1, x 1>\n[ while true { } ]", &mz_algorithm_source, NULL), "busy without end");
}

/* A bug that was found stays a bug, whatever ended the search. */
static void an_error_outweighs_a_limit(void **state)
{
    (void)state;
    checked *c = check("<2, x 1> [ assert x == 1 ] [ x := 0  x := 0  x := 0 ]", &mz_algorithm_full,
                       &(mz_search_options){.all_errors = true, .limits = {.traces = 2}});
    assert_verdict(c, MZ_UNSAFE);
    assert_true(c->search.incomplete);
    finish(c);
}

static void note_progress(void *context, const mz_progress *progress)
{
    mz_progress *last = context;
    assert_true(progress->events > last->events);
    assert_true(progress->share_done >= 0 && progress->share_done <= 1);
    assert_in_range(progress->depth, 1, 12);
    *last = *progress;
}

static void progress_is_reported(void **state)
{
    (void)state;
    mz_progress last = {0};
    checked *c = prepare(
        "<5, x 1> <{5 [ x := 1  x := 2 ] }>",
        &(mz_search_options){.limits = {.seconds = 1, .progress = note_progress, .progress_context = &last}});
    c->search.next_report = 0; /* do not wait for the first report */
    mz_algorithm_full.run(&c->search);
    assert_true(last.events > 0);
    finish(c);
}

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
    for (size_t i = 0; i < reduced->traces.capacity; i++)
        if (reduced->traces.slots[i].low || reduced->traces.slots[i].high)
            mz_hash_set_add(&full->traces, reduced->traces.slots[i]);
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
        assert_true(n->revisited == 0 || mz_algorithms[a] == &mz_algorithm_bounded);
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
    assert_incomplete(check(large_model, &mz_algorithm_bounded, &options),
                      "(--max-events); no error with at most 0 preemptions");
}

static void visited_states_are_pruned(void **state)
{
    (void)state;
    checked *c = check_observed("<3, x 3> <{3 [ x[$] := 1  x[$] := 2 ] }>", &mz_algorithm_full,
                                &(mz_search_options){.stateful = true});
    assert_verdict(c, MZ_SAFE);
    assert_int_equal(c->search.visited.count, 27); /* three positions in each of three processes */
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
    checked *c = prepare(source, &(mz_search_options){.own = {runs, seed}});
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
                         &(mz_search_options){.own = {10}});
    mz_algorithm_run(&mz_algorithm_random, &c->search);
    assert_incomplete(c, "10 random executions, none came to its end: assumptions prune them");
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
        cmocka_unit_test(the_number_of_traces),
        cmocka_unit_test(the_number_of_events),
        cmocka_unit_test(the_depth),
        cmocka_unit_test(the_time),
        cmocka_unit_test(the_memory),
        cmocka_unit_test(an_interrupt),
        cmocka_unit_test(endless_local_work),
        cmocka_unit_test(an_error_outweighs_a_limit),
        cmocka_unit_test(progress_is_reported),
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
        cmocka_unit_test(a_sample_is_never_safe),
        cmocka_unit_test(whoever_can_go_on_is_equally_likely),
        cmocka_unit_test(a_seed_is_a_sample),
        cmocka_unit_test(a_sample_that_is_pruned_says_nothing_of_the_rest),
        cmocka_unit_test(algorithms_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
