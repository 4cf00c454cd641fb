#include "search/witness/witness.h"

#include "checks.h"

/* Runs the counterexample again, by hand. */
static mz_outcome replay(checked *c, const mz_problem *problem)
{
    mz_choices choices = {0};
    mz_operation executed;
    mz_choices_prescribe(&choices, problem->choices, problem->initial_choices);
    mz_outcome outcome = c->machine->class->reset(c->machine, &choices);
    for (size_t i = 0; i < problem->step_count; i++) {
        const mz_witness_step *step = &problem->steps[i];
        assert_true(mz_threads_has(c->machine->status->ready, step->thread));
        mz_choices_prescribe(&choices, problem->choices + step->first_choice, step->choice_count);
        outcome = c->machine->class->step(c->machine, step->thread, &choices, &executed);
        assert_int_equal(outcome, i + 1 < problem->step_count ? MZ_STEP_DONE : outcome);
    }
    mz_release(choices.made);
    return outcome;
}

static void counterexamples_replay(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "<3, x 1, y 1> [ x := 1  y := 1 ] [ x := 2  y := 2 ] [ assert x == y || x == 0 || y == 0 ]",
        "<2, x 1, local l 1> [ l := choose(0, 2)  x := l  l := choose(0, 2)  x := x + l ] [ assert x != 4 ]",
        "<3, i 1, a 2> [ i := i + 1 ] [ i := i + 1 ] [ a[i] := 1 ]",
        "<2, x 1> [ x := choose(0, 1)  x := choose(0, 1) ] [ assert x == 0 ]",
    };
    for (size_t i = 0; i < LENGTH(sources); i++)
        for (size_t a = 0; a < mz_algorithm_count; a++) {
            if (mz_algorithms[a]->samples) /* it may miss it */
                continue;
            checked *c = check(sources[i], mz_algorithms[a], NULL);
            assert_verdict(c, MZ_UNSAFE);
            const mz_problem *problem = &c->search.problems[0];
            assert_int_equal(replay(c, problem), MZ_STEP_FAILED);
            assert_int_equal(c->machine->failures[0].kind, problem->failure.kind);
            assert_int_equal(c->machine->failures[0].thread, problem->failure.thread);
            finish(c);
        }
}

static void counterexamples_of_deadlocks_replay(void **state)
{
    (void)state;
    checked *c =
        check("<3, f 3> <{3 [ lock f[$]  lock f[($ + 1) % 3]  unlock f[($ + 1) % 3]  unlock f[$] ] }>",
              &mz_algorithm_source, NULL);
    assert_verdict(c, MZ_UNSAFE);
    const mz_problem *problem = &c->search.problems[0];
    assert_int_equal(problem->failure.kind, MZ_FAIL_DEADLOCK);
    assert_int_equal(replay(c, problem), MZ_STEP_DONE);
    assert_int_equal(c->machine->status->ready, 0);
    assert_int_equal(c->machine->status->blocked, 7);
    finish(c);
}

static void counterexamples_leave_out_what_does_not_matter(void **state)
{
    (void)state;
    checked *c = check(
        "<4, x 1, y 2, z 1>\n[ y[0] := 1  y[0] := 2 ]\n[ x := 1  z := 1 ]\n[ y[1] := 1 ]\n[ assert x == 0 ]",
        &mz_algorithm_source, NULL);
    const mz_problem *problem = &c->search.problems[0];
    assert_int_equal(problem->step_count, 2);
    assert_true(problem->original_steps > 2);
    assert_int_equal(problem->context_switches, 1);
    assert_int_equal(problem->steps[0].thread, 1);
    assert_string_equal(problem->steps[0].text, "x := 1");
    assert_string_equal(problem->steps[0].effect, "x: 0 → 1");
    assert_int_equal(problem->steps[0].position.line, 3);
    assert_int_equal(problem->steps[1].thread, 3);
    assert_string_equal(problem->steps[1].text, "assert x == 0");
    assert_string_equal(problem->steps[1].effect, "x = 1");
    finish(c);
}

/* Threads that stopped on the way, for reasons of their own, are no part of the story. */
static void counterexamples_leave_out_others_that_stopped(void **state)
{
    (void)state;
    checked *c =
        check("<4, x 1, y 1>\n[ assume y == 1 ]\n[ assert y == 1 ]\n[ x := 1 ]\n[ if y == 0  assert x == 0 ]",
              &mz_algorithm_source, &(mz_search_options){.all_errors = true});
    bool found = false;
    for (size_t i = 0; i < c->search.problem_count; i++) {
        const mz_problem *problem = &c->search.problems[i];
        if (problem->failure.thread != 3)
            continue;
        found = true;
        for (size_t j = 0; j < problem->step_count; j++)
            assert_true(problem->steps[j].thread >= 2);
        assert_int_equal(replay(c, problem), MZ_STEP_FAILED);
    }
    assert_true(found);
    assert_false(c->search.internal_error);
    finish(c);
}

static void counterexamples_switch_seldom(void **state)
{
    (void)state;
    /* All events matter, but two runs are enough: process 1 as a whole after process 0 as a whole. */
    checked *c = check("<2, x 3, y 3> [ x[0] := 1  x[1] := 1  x[2] := 1 ]\n"
                       "[ y[0] := 1  y[1] := 1  assert x[0] + x[1] + x[2] != 3 ]",
                       &mz_algorithm_source, NULL);
    const mz_problem *problem = &c->search.problems[0];
    assert_int_equal(problem->step_count, 6);
    assert_int_equal(problem->context_switches, 1);
    finish(c);
    /* Here two switches are needed, 0 1 0; in the execution that is found first there may be more. */
    c = check("<2, x 1, y 2, local l 1> [ y[0] := 1  l := x  y[0] := 2  x := l + 1  assert x == l + 1 ]\n"
              "[ y[1] := 1  x := x + 5 ]",
              &mz_algorithm_source, NULL);
    problem = &c->search.problems[0];
    assert_verdict(c, MZ_UNSAFE);
    assert_int_equal(problem->context_switches, 2);
    finish(c);
}

static void counterexamples_tell_choices(void **state)
{
    (void)state;
    checked *c =
        check("<1, x 1> [ x := 3  x := x + choose(0, 2)  assert x != 5 ]", &mz_algorithm_source, NULL);
    const mz_problem *problem = &c->search.problems[0];
    assert_int_equal(problem->step_count, 3);
    assert_string_equal(problem->steps[0].effect, "x: 0 → 3, choice = 2");
    assert_string_equal(problem->steps[1].effect, "x: 3 → 5");
    finish(c);
}

static void failures_before_the_first_event_have_no_steps(void **state)
{
    (void)state;
    checked *c = check("<2, x 1, local l 1> [ x := 1 ]\n[ l := choose(0, 3)  assert l < 2 ]",
                       &mz_algorithm_source, &(mz_search_options){.all_errors = true});
    assert_verdict(c, MZ_UNSAFE);
    assert_int_equal(c->search.problem_count, 1);
    const mz_problem *problem = &c->search.problems[0];
    assert_int_equal(problem->occurrences, 2); /* for 2 and for 3 */
    assert_int_equal(problem->step_count, 0);
    assert_int_equal(problem->initial_choices, 1);
    assert_int_equal(problem->choices[0].value, 2);
    assert_int_equal(replay(c, problem), MZ_STEP_FAILED);
    finish(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counterexamples_replay),
        cmocka_unit_test(counterexamples_of_deadlocks_replay),
        cmocka_unit_test(counterexamples_leave_out_what_does_not_matter),
        cmocka_unit_test(counterexamples_leave_out_others_that_stopped),
        cmocka_unit_test(counterexamples_switch_seldom),
        cmocka_unit_test(counterexamples_tell_choices),
        cmocka_unit_test(failures_before_the_first_event_have_no_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
