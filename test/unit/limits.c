/* What ends a search before it is through, and what is said of it. */
#include "search/limits.h"

#include "checks.h"

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
