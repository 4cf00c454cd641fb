#include "estimate/sampling.h"

#include "checks.h"

static mz_estimate estimate(const char *source, bool interleavings, double seconds)
{
    mz_model *model = parse_model(source);
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
    mz_estimate_options options = {
        .interleavings = interleavings, .deadline = mz_seconds_now() + seconds, .depth = 1000};
    mz_estimate result = mz_estimate_size(machine, &options);
    machine->class->destroy(machine);
    mz_model_destroy(model);
    return result;
}

static uint64_t explored(const char *source, const mz_algorithm *algorithm)
{
    checked *c = check(source, algorithm, &(mz_search_options){.all_errors = true});
    uint64_t traces = c->search.statistics.traces;
    finish(c);
    return traces;
}

/* Nothing is left out of these: the leaves of the tree are the traces. */
static void small_programs_are_counted(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "<0>",
        "<1> []",
        "<2, x 1> [ x := 1 ] [ if x == 1 ]",
        "<3, x 1, y 1> [ x := 1 ] [ if y == 0  if x == 0 ] [ if x == 0 ]",
        "<3, x 2> [ x[x[1]] := 0  x[1] := 0 ] [ if x[1] == 0  x[1] := 1 ] [ if x[0] == 0 ]",
        "<2, m 1, x 1, local l 1> <{2 [ lock m  l := x  x := l + 1  unlock m ] }>",
        "<3, m 2> <{3 [ lock m[$ % 2]  lock m[($ + 1) % 2]  unlock m[0]  unlock m[1] ] }>",
        "<2, x 1> [ assume x == 1  x := 3 ] [ x := 1  x := 2 ]",
        "<2, x 1, y 1> [ x := 1  y := choose(0, 1) ] [ x := 2  if y == 1 { x := choose(3, 5) } ]",
        "<2, x 1, local l 1> [ l := choose(0, 2)  x := l ] [ x := choose(0, 1) ]",
    };
    for (size_t i = 0; i < LENGTH(sources); i++) {
        mz_estimate traces = estimate(sources[i], false, 10);
        assert_true(traces.known && traces.counted && !traces.begin_again);
        assert_int_equal((uint64_t)traces.traces, explored(sources[i], &mz_algorithm_source));
        mz_estimate interleavings = estimate(sources[i], true, 10);
        assert_true(interleavings.known && interleavings.counted);
        assert_int_equal((uint64_t)interleavings.traces, explored(sources[i], &mz_algorithm_full));
    }
}

static void errors_are_noticed(void **state)
{
    (void)state;
    assert_true(estimate("<2, x 1> [ x := 1 ] [ assert x == 1 ]", false, 10).error);
    assert_true(estimate("<1, x 1> [ await x == 1 ]", false, 10).error);
    assert_false(estimate("<2, x 1> [ x := 1 ] [ await x == 1 ]", false, 10).error);
}

/* One writer, 39 readers: 2^39 traces. And 24 writers of one cell: 24! interleavings, all of them traces. */
static void large_programs_are_sampled(void **state)
{
    (void)state;
    double readers = 549755813888.0, writers = 1;
    for (int i = 2; i <= 24; i++)
        writers *= i;
    mz_estimate e = estimate("<40, x 1> [ x := 42 ] <{39 [ if x == 0 ] }>", false, 3);
    assert_true(e.known && !e.counted && e.rounds > 1);
    assert_true(e.traces > readers / 3 && e.traces < readers * 3);
    e = estimate("<24, x 1> <{24 [ x := $ ] }>", false, 2);
    assert_true(e.known && !e.counted && e.traces > writers / 3 && e.traces < writers * 3);
    e = estimate("<24, x 24> <{24 [ x[$] := 1 ] }>", true, 2);
    assert_true(e.known && !e.counted && e.traces > writers / 3 && e.traces < writers * 3);
    e = estimate("<24, x 24> <{24 [ x[$] := 1 ] }>", false, 10);
    assert_true(e.counted && e.traces == 1);
}

/* No execution ends, or none does in time. */
static void sometimes_nothing_is_known(void **state)
{
    (void)state;
    assert_false(estimate("<2, x 1> [ while x == 0 { } ] [ x := 1 ]", false, 0.2).known);
    assert_false(estimate("<1, x 1> [ x := 1  while true { } ]", false, 10).known);
    assert_false(estimate("<24, x 1> <{24 [ x := $ ] }>", false, 0).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_programs_are_counted),
        cmocka_unit_test(errors_are_noticed),
        cmocka_unit_test(large_programs_are_sampled),
        cmocka_unit_test(sometimes_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
