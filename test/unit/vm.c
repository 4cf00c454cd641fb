#include "models.h"

enum { NO_THREADS = 0, FIRST = 1, SECOND = 2, BOTH = 3 };

static void assert_failed(const model_under_test *m, mz_failure_kind kind, uint32_t thread, uint32_t line,
                          uint32_t column, const char *message)
{
    const mz_failure *failure = &m->machine->failures[0];
    assert_int_equal(m->outcome, MZ_STEP_FAILED);
    assert_int_equal(failure->kind, kind);
    assert_int_equal(failure->thread, thread);
    assert_string_equal(failure->position.file, "test.dlang");
    assert_int_equal(failure->position.line, line);
    assert_int_equal(failure->position.column, column);
    assert_contains(mz_text_string(&failure->message), message);
    assert_true(mz_threads_has(m->machine->status->failed, thread));
    assert_false(mz_threads_has(m->machine->status->ready, thread));
}

/* ---- steps ----------------------------------------------------------------------------------------- */

static void local_work_belongs_to_the_operation_before(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<2, x 2, local l 1 3>\n"
                   "[ l := l + 2  while l < 10 { l := l + 1 }  x[0] := l  l := 7  if l == 7 { l := 8 }\n"
                   "  x[1] := l ]\n"
                   "[ l := 1  skip  if l == 1 { } ]");
    assert_int_equal(m.outcome, MZ_STEP_DONE);
    assert_int_equal(m.machine->status->ready, FIRST);
    assert_int_equal(m.machine->status->finished, SECOND); /* it had nothing to do with others */
    mz_operation pending = pending_of(&m, 0);
    assert_footprint(&m, &pending, "x[0]:w");
    assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
    assert_int_equal(value_of(&m, "x[0]"), 10);
    assert_int_equal(value_of(&m, "x[1]"), 0);
    assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
    assert_int_equal(value_of(&m, "x[1]"), 8);
    assert_int_equal(m.machine->status->finished, BOTH);
    assert_int_equal(m.machine->status->ready, NO_THREADS);
    unload_model(&m);
}

static void locals_belong_to_their_process(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<2, r 2, local l 2 5 6>\n<{2 [ l[$] := l[$] + 10  r[$] := l[0] * 100 + l[1] ] }>");
    step_model(&m, 0);
    step_model(&m, 1);
    assert_int_equal(value_of(&m, "r[0]"), 1506);
    assert_int_equal(value_of(&m, "r[1]"), 516);
    unload_model(&m);
}

static void initial_values_come_back_with_reset(void **state)
{
    (void)state;
    model_under_test m = load_model("<1, x 3 7 -2, local l 1 4> [ x[0] := l  l := 9  x[1] := l ]");
    for (int round = 0; round < 3; round++) {
        assert_int_equal(value_of(&m, "x[0]"), 7);
        assert_int_equal(value_of(&m, "x[1]"), -2);
        assert_int_equal(value_of(&m, "x[2]"), 0);
        step_model(&m, 0);
        assert_int_equal(value_of(&m, "x[0]"), 4);
        step_model(&m, 0);
        assert_int_equal(value_of(&m, "x[1]"), 9);
        assert_int_equal(m.machine->class->reset(m.machine, &m.choices), MZ_STEP_DONE);
        assert_int_equal(m.machine->status->ready, FIRST);
    }
    unload_model(&m);
}

static void branches_and_loops(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<1, x 1, y 1>\n"
                   "[ while x < 3 { x := x + 1 }\n"
                   "  if x == 2 { y := 1 } else if x == 3 then { y := 2 } else { y := 3 } ]");
    int steps = 0;
    while (m.machine->status->ready) {
        assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
        steps++;
    }
    assert_int_equal(value_of(&m, "x"), 3);
    assert_int_equal(value_of(&m, "y"), 2);
    assert_int_equal(steps, 4 + 3 + 2 + 1); /* conditions, increments, the two ifs, the assignment */
    unload_model(&m);
}

static void compare_and_swap(void **state)
{
    (void)state;
    model_under_test m = load_model("<1, x 1, r 1, local l 1 4>\n"
                                    "[ cas(x, 0, 5)  cas(x, 0, 6)  r := cas(x, 5, 7) + 10\n"
                                    "  if cas(x, 1, 2) { r := 1 } else { r := 2 }  cas(l, 4, 9)  r := l ]");
    step_model(&m, 0);
    assert_footprint(&m, &m.executed, "x:rw");
    assert_int_equal(value_of(&m, "x"), 5);
    step_model(&m, 0);
    assert_footprint(&m, &m.executed, "x:r"); /* it failed: a read */
    assert_int_equal(value_of(&m, "x"), 5);
    step_model(&m, 0);
    assert_footprint(&m, &m.executed, "x:rw r:w");
    assert_int_equal(value_of(&m, "x"), 7);
    assert_int_equal(value_of(&m, "r"), 11);
    step_model(&m, 0);
    assert_footprint(&m, &m.executed, "x:r");
    step_model(&m, 0);
    assert_int_equal(value_of(&m, "r"), 2);
    step_model(&m, 0);
    assert_int_equal(value_of(&m, "r"), 9); /* of a local variable: no event of its own */
    assert_int_equal(m.machine->status->finished, FIRST);
    unload_model(&m);
}

/* ---- atomic blocks --------------------------------------------------------------------------------- */

static void an_atomic_block_is_one_event(void **state)
{
    (void)state;
    model_under_test m = load_model(
        "<1, x 1 1, y 1, z 1, local l 1>\n"
        "[ atomic { l := x  x := y  y := l  if y == 1 { z := x + 5 }  while z < 8 { z := z + 1 } } ]");
    step_model(&m, 0);
    assert_int_equal(m.executed.kind, MZ_OP_ATOMIC);
    assert_footprint(&m, &m.executed, "x:rw y:rw z:w"); /* z: only after it has written it */
    assert_int_equal(value_of(&m, "x"), 0);
    assert_int_equal(value_of(&m, "y"), 1);
    assert_int_equal(value_of(&m, "z"), 8);
    assert_int_equal(m.machine->status->finished, FIRST);
    unload_model(&m);
}

static void a_failing_atomic_block_writes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        mz_outcome outcome;
        const char *footprint; /* what it had read of others: it writes nothing */
    } cases[] = {
        {"x := 1  y := 2  assert x == 0", MZ_STEP_FAILED, ""},
        {"x := 1  assume y == 1", MZ_STEP_PRUNED, "y:r"},
        {"x := 1  y := a[x + 4]", MZ_STEP_FAILED, ""},
        {"x := 1  y := 5 / (x - 1)", MZ_STEP_FAILED, ""},
        {"x := 1  unlock y", MZ_STEP_FAILED, "y:r"},
        {"cas(x, 0, 1)  assert false", MZ_STEP_FAILED, "x:r"},
        {"l := 3  x := 2  a[l] := 1", MZ_STEP_FAILED, ""},
        {"if y == 0 { x := 4  assert false }", MZ_STEP_FAILED, "y:r"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mz_text source = {0};
        mz_text_add(&source, "<1, x 1, y 1, a 3, local l 1> [ atomic { %s } ]", cases[i].body);
        model_under_test m = load_model(mz_text_string(&source));
        assert_int_equal(step_model(&m, 0), cases[i].outcome);
        assert_footprint(&m, &m.executed, cases[i].footprint);
        for (uint32_t location = 0; location < m.machine->location_count; location++)
            assert_int_equal(location_value(m.machine, location), 0);
        assert_int_equal(m.machine->status->ready, NO_THREADS);
        unload_model(&m);
        mz_text_release(&source);
    }
}

/* A statement that swaps and then fails is undone as well: promise (3) of machine.h. */
static void a_failing_statement_with_cas_writes_nothing(void **state)
{
    (void)state;
    static const char *const statements[] = {"assert cas(x, 0, 1) == 0", "assume !cas(x, 0, 1)",
                                             "a[cas(x, 0, 1) + 5] := 1", "y := 1 / (1 - cas(x, 0, 1))",
                                             "if cas(x, 0, 1) && a[x + 4] == 0 { }"};
    for (size_t i = 0; i < LENGTH(statements); i++) {
        mz_text source = {0};
        mz_text_add(&source, "<1, x 1, y 1, a 3> [ %s ]", statements[i]);
        model_under_test m = load_model(mz_text_string(&source));
        assert_int_not_equal(step_model(&m, 0), MZ_STEP_DONE);
        assert_int_equal(value_of(&m, "x"), 0);
        for (uint32_t a = 0; a < m.executed.access_count; a++)
            assert_int_equal(m.executed.accesses[a].kind, MZ_READ);
        unload_model(&m);
        mz_text_release(&source);
    }
}

/* What was done before the failing local work stays done. */
static void failing_after_an_operation_keeps_the_operation(void **state)
{
    (void)state;
    static const char *const statements[] = {"x := 1", "cas(x, 0, 1)", "atomic { x := x + 1 }",
                                             "x := 1 + a[x]"};
    for (size_t i = 0; i < LENGTH(statements); i++) {
        mz_text source = {0};
        mz_text_add(&source, "<1, x 1, a 3, local l 1>\n[ %s\n  assert l == 1 ]", statements[i]);
        model_under_test m = load_model(mz_text_string(&source));
        step_model(&m, 0);
        assert_failed(&m, MZ_FAIL_ASSERTION, 0, 3, 3, "assertion failed: assert l == 1");
        assert_int_equal(value_of(&m, "x"), 1);
        unload_model(&m);
        mz_text_release(&source);
    }
}

/* ---- waiting --------------------------------------------------------------------------------------- */

static void assert_waits_for(model_under_test *m, uint32_t thread, const char *expected)
{
    mz_text text = {0};
    m->machine->class->describe_wait(m->machine, thread, &text);
    assert_string_equal(mz_text_string(&text), expected);
    mz_text_release(&text);
}

static void locks(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, m 2>\n[ lock m[1] unlock m[1] ]\n[ lock m[1] lock m[1] ]");
    assert_int_equal(m.machine->status->ready, BOTH);
    step_model(&m, 0);
    assert_footprint(&m, &m.executed, "m[1]:rw");
    assert_int_equal(value_of(&m, "m[1]"), 1); /* the holder's number, counted from 1 */
    assert_int_equal(m.machine->status->ready, FIRST);
    assert_int_equal(m.machine->status->blocked, SECOND);
    assert_waits_for(&m, 1, "m[1], held by process 0");
    step_model(&m, 0);
    assert_int_equal(m.machine->status->finished, FIRST);
    assert_int_equal(m.machine->status->ready, SECOND);
    assert_int_equal(m.machine->status->blocked, NO_THREADS);
    step_model(&m, 1);
    assert_int_equal(value_of(&m, "m[1]"), 2);
    assert_int_equal(m.machine->status->ready, NO_THREADS); /* it waits for itself */
    assert_int_equal(m.machine->status->blocked, SECOND);
    assert_waits_for(&m, 1, "m[1], which it holds itself");
    unload_model(&m);
}

static void unlocking_what_one_does_not_hold(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, m 1>\n[ lock m\n  skip ]\n[ if m == 0\n unlock m ]");
    step_model(&m, 0);
    step_model(&m, 1);
    step_model(&m, 1);
    assert_failed(&m, MZ_FAIL_LOCK, 1, 5, 2, "unlock of a lock that process 0 holds");
    assert_footprint(&m, &m.executed, "m:r");
    assert_int_equal(value_of(&m, "m"), 1);
    unload_model(&m);
    m = load_model("<1, m 1>\n[ unlock m ]");
    step_model(&m, 0);
    assert_failed(&m, MZ_FAIL_LOCK, 0, 2, 3, "unlock of a lock that nobody holds");
    unload_model(&m);
}

static void await_is_ready_while_its_condition_holds(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, x 1, r 1>\n[ await x == 1  r := 5 ]\n[ x := 1  x := 2  x := 1 ]");
    assert_int_equal(m.machine->status->blocked, FIRST);
    assert_waits_for(&m, 0, "x == 1");
    step_model(&m, 1);
    assert_int_equal(m.machine->status->ready, BOTH);
    step_model(&m, 1);
    assert_int_equal(m.machine->status->ready, SECOND); /* the chance has gone by */
    assert_int_equal(m.machine->status->blocked, FIRST);
    step_model(&m, 1);
    assert_int_equal(m.machine->status->ready, FIRST);
    assert_int_equal(m.machine->status->finished, SECOND);
    step_model(&m, 0);
    step_model(&m, 0);
    assert_int_equal(value_of(&m, "r"), 5);
    assert_int_equal(m.machine->status->finished, BOTH);
    unload_model(&m);
}

/* A guard that cannot be evaluated does not wait: the operation happens and fails. */
static void guards_that_fail(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, x 1, a 2, local l 1 2>\n[ await 1 / x == 1 ]\n[ lock a[l] ]");
    assert_int_equal(m.machine->status->ready, BOTH);
    step_model(&m, 0);
    assert_failed(&m, MZ_FAIL_DIVISION, 0, 2, 3, "division by zero");
    step_model(&m, 1);
    assert_failed(&m, MZ_FAIL_INDEX, 1, 3, 3, "index 2 is outside 'a', which has 2 cells");
    unload_model(&m);
}

/* ---- how a thread stops ---------------------------------------------------------------------------- */

static void assumptions_and_assertions(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, x 1>\n[ assume x == 0  assume x == 1  x := 7 ]\n"
                                    "[ assert x == 0\n  assert x == 0 &&   x != 0\n x := 8 ]");
    assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
    assert_int_equal(step_model(&m, 0), MZ_STEP_PRUNED);
    assert_int_equal(m.machine->status->pruned, FIRST);
    assert_int_equal(m.machine->status->ready, SECOND); /* the others can go on */
    assert_int_equal(step_model(&m, 1), MZ_STEP_DONE);
    step_model(&m, 1);
    assert_failed(&m, MZ_FAIL_ASSERTION, 1, 4, 3, "assertion failed: assert x == 0 && x != 0");
    assert_int_equal(value_of(&m, "x"), 0);
    unload_model(&m);
}

static void assertions_can_be_ignored(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<1, x 1> [ assert x == 1  atomic { x := 2  assert false }  assume x == 1 ]");
    m.machine->ignore_assertions = true;
    assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
    assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
    assert_int_equal(value_of(&m, "x"), 2);
    assert_int_equal(step_model(&m, 0), MZ_STEP_PRUNED); /* an assumption is not an assertion */
    unload_model(&m);
}

static void failures_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *statement; /* at 2:3, or wherever the line and column say */
        uint32_t line, column;
        mz_failure_kind kind;
        const char *message;
    } cases[] = {
        {"y := a[x + 3]", 2, 3, MZ_FAIL_INDEX, "index 3 is outside 'a', which has 3 cells"},
        {"a[x - 1] := 1", 2, 3, MZ_FAIL_INDEX, "index -1 is outside 'a', which has 3 cells"},
        {"y := c[x + 2]", 2, 3, MZ_FAIL_INDEX, "index 2 is outside 'c', which has 2 cells"},
        {"y := l[x + 5]", 2, 3, MZ_FAIL_INDEX, "index 5 is outside 'l', which has 4 cells"},
        {"cas(a[x + 9], 0, 1)", 2, 3, MZ_FAIL_INDEX, "index 9 is outside 'a', which has 3 cells"},
        {"unlock a[x + 9]", 2, 3, MZ_FAIL_INDEX, "index 9 is outside 'a', which has 3 cells"},
        {"y := 1 / x", 2, 3, MZ_FAIL_DIVISION, "division by zero"},
        {"if 5 % x == 1 { }", 2, 3, MZ_FAIL_DIVISION, "division by zero"},
        {"y := 2\n l[y] := 3\n y := 1 % (y - 2)", 4, 2, MZ_FAIL_DIVISION, "division by zero"},
        {"if x == 0 {\n   assert x == 1 }", 3, 4, MZ_FAIL_ASSERTION, "assertion failed: assert x == 1"},
        {"y := 1\n  l[0] := choose(2, l[0])", 3, 3, MZ_FAIL_CHOICE,
         "choose(2, 0): there is nothing to choose from"},
        {"y := 1\n  l[l[0] - 1] := 1", 3, 3, MZ_FAIL_INDEX, "index -1 is outside 'l', which has 4 cells"},
        {"atomic { y := 1\n\n assert y == 2 }", 4, 2, MZ_FAIL_ASSERTION, "assertion failed: assert y == 2"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mz_text source = {0};
        mz_text_add(&source, "<1, x 1, y 1, a 3, local l 4, const c 2>\n[ %s ]", cases[i].statement);
        model_under_test m = load_model(mz_text_string(&source));
        for (int steps = 0; m.outcome == MZ_STEP_DONE && m.machine->status->ready && steps < 5; steps++)
            step_model(&m, 0);
        if (m.outcome != MZ_STEP_FAILED)
            fail_msg("'%s' does not fail", cases[i].statement);
        assert_failed(&m, cases[i].kind, 0, cases[i].line, cases[i].column, cases[i].message);
        unload_model(&m);
        mz_text_release(&source);
    }
}

static void failures_before_the_first_operation(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<4, x 1, local l 1>\n[ x := 1 ]\n[ assume l == 1 ]\n[ assert l == 2 ]\n[ l := 1 / l ]");
    assert_int_equal(m.outcome, MZ_STEP_FAILED);
    assert_int_equal(m.machine->failure_count, 2);
    assert_int_equal(m.machine->failures[0].kind, MZ_FAIL_ASSERTION);
    assert_int_equal(m.machine->failures[0].thread, 2);
    assert_int_equal(m.machine->failures[1].kind, MZ_FAIL_DIVISION);
    assert_int_equal(m.machine->failures[1].thread, 3);
    assert_int_equal(m.machine->status->ready, 1); /* the others were initialised all the same */
    assert_int_equal(m.machine->status->pruned, 2);
    assert_int_equal(m.machine->status->failed, 4 | 8);
    assert_int_equal(step_model(&m, 0), MZ_STEP_DONE);
    unload_model(&m);
}

static void endless_local_work_is_noticed(void **state)
{
    (void)state;
    model_under_test m = load_model("<1, x 1, local l 1>\n[ x := 1\n  while true { l := l + 1 } ]");
    assert_int_equal(m.outcome, MZ_STEP_DONE);
    assert_int_equal(step_model(&m, 0), MZ_STEP_GIVEN_UP);
    const char *message = mz_text_string(&m.machine->failures[0].message);
    assert_contains(message, "process 0 is busy without end at test.dlang:3");
    assert_int_equal(m.machine->status->ready, NO_THREADS);
    unload_model(&m);
    m = load_model("<2>\n[]\n[ while true { } ]");
    assert_int_equal(m.outcome, MZ_STEP_GIVEN_UP);
    assert_contains(mz_text_string(&m.machine->failures[0].message),
                    "process 1 is busy without end at test.dlang:3");
    unload_model(&m);
}

/* ---- choices --------------------------------------------------------------------------------------- */

static void choices_are_made_before_their_statement(void **state)
{
    (void)state;
    model_under_test m = load_model(
        "<1, x 1, y 1, local l 1 5>\n[ x := choose(2, 4)  y := choose(l, l + 1) * 10 + choose(0, 1) ]");
    assert_int_equal(m.choices.count,
                     1); /* by the reset: what an operation touches is fixed once it is pending */
    assert_int_equal(m.choices.made[0].value, 2);
    assert_int_equal(m.choices.made[0].high, 4);
    mz_choices_prescribe(&m.choices, &(mz_choice){.value = 4, .low = 2, .high = 4}, 1);
    assert_int_equal(m.machine->class->reset(m.machine, &m.choices), MZ_STEP_DONE);
    step_choosing(&m, 0, (mz_choice[]){{.value = 6, .low = 5, .high = 6}}, 1);
    assert_int_equal(value_of(&m, "x"), 4);
    assert_int_equal(m.choices.count, 2);
    assert_int_equal(m.choices.made[0].value, 6);
    assert_int_equal(m.choices.made[1].value, 0); /* not prescribed: the low end */
    assert_int_equal(m.choices.made[1].high, 1);
    step_model(&m, 0);
    assert_int_equal(value_of(&m, "y"), 60);
    assert_int_equal(m.choices.count, 0);
    unload_model(&m);
}

static void choices_in_loops_and_blocks_are_made_anew(void **state)
{
    (void)state;
    model_under_test m = load_model("<1, x 1> [ while x + choose(0, 1) < 2 { x := x + 1 }  atomic { x := "
                                    "choose(3, 5)  if x == 3 { x := choose(7, 9) } } ]");
    assert_int_equal(m.choices.count, 1);
    step_model(&m, 0); /* 0 + 0 < 2 */
    assert_int_equal(m.choices.count, 0);
    step_choosing(&m, 0, (mz_choice[]){{.value = 1, .high = 1}}, 1); /* x := 1; choose for the next round */
    assert_int_equal(m.choices.count, 1);
    step_choosing(&m, 0, (mz_choice[]){{.value = 3, .low = 3, .high = 5}, {.value = 8, .low = 7, .high = 9}},
                  2); /* 1 + 1 < 2 fails; choose for the block */
    assert_int_equal(m.choices.count, 2);
    step_model(&m, 0);
    assert_int_equal(value_of(&m, "x"), 8);
    unload_model(&m);
}

/* ---- states ---------------------------------------------------------------------------------------- */

static const char stateful_model[] = "<3, x 2, m 1, local l 1>\n"
                                     "<{2 [ lock m  l := l + choose(1, 2)  x[$] := l  unlock m ] }>\n"
                                     "[ await x[1] == 1  assert x[0] == 1 ]";

static void assert_same_state(model_under_test *a, model_under_test *b)
{
    assert_memory_equal(a->machine->status, b->machine->status, sizeof(mz_status));
    for (uint32_t location = 0; location < a->machine->location_count; location++)
        assert_int_equal(location_value(a->machine, location), location_value(b->machine, location));
    mz_hash one = a->machine->class->fingerprint(a->machine),
            other = b->machine->class->fingerprint(b->machine);
    assert_true(one.low == other.low && one.high == other.high);
}

/* From any state on a random walk: save, go on at random, restore, and the same steps lead to the same
 * states. */
static void snapshots_bring_a_state_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        model_under_test m = load_model(stateful_model), twin = load_model(stateful_model);
        void *snapshot = test_malloc(m.machine->snapshot_bytes);
        while (m.machine->status->ready) {
            m.machine->class->save(m.machine, snapshot);
            for (int i = 0; i < 3 && m.machine->status->ready; i++) {
                mz_threads ready = m.machine->status->ready;
                for (uint32_t skip = random_below(&random, mz_threads_count(ready)); skip > 0; skip--)
                    ready &= ready - 1;
                step_model(&m, mz_threads_first(ready));
            }
            m.machine->class->restore(m.machine, snapshot);
            assert_same_state(&m, &twin);
            mz_threads ready = m.machine->status->ready;
            for (uint32_t skip = random_below(&random, mz_threads_count(ready)); skip > 0; skip--)
                ready &= ready - 1;
            step_model(&m, mz_threads_first(ready));
            step_model(&twin, mz_threads_first(ready));
            assert_same_state(&m, &twin);
        }
        test_free(snapshot);
        unload_model(&m);
        unload_model(&twin);
    }
}

static mz_hash fingerprint_after(const char *source, const uint32_t *threads, size_t count)
{
    model_under_test m = load_model(source);
    for (size_t i = 0; i < count; i++)
        step_model(&m, threads[i]);
    mz_hash h = m.machine->class->fingerprint(m.machine);
    unload_model(&m);
    return h;
}

static void fingerprints_name_states_not_paths(void **state)
{
    (void)state;
    const char *source = "<2, x 2, y 1> [ x[0] := 1  y := 1 ] [ x[1] := 1  y := 2 ]";
    mz_hash a = fingerprint_after(source, (uint32_t[]){0, 1}, 2),
            b = fingerprint_after(source, (uint32_t[]){1, 0}, 2);
    assert_true(a.low == b.low && a.high == b.high); /* independent: the same state */
    a = fingerprint_after(source, (uint32_t[]){0, 1, 0, 1}, 4);
    b = fingerprint_after(source, (uint32_t[]){0, 1, 1, 0}, 4);
    assert_false(a.low == b.low && a.high == b.high); /* y differs */
    const char *local = "<2, x 1, y 1, local l 1> [ x := 1 ] [ l := x  y := 0 ]";
    a = fingerprint_after(local, (uint32_t[]){0, 1, 1}, 3);
    b = fingerprint_after(local, (uint32_t[]){1, 0, 1}, 3);
    assert_false(a.low == b.low && a.high == b.high); /* what a thread remembers is part of the state */
}

static void sequences_run_up_to_what_cannot_happen(void **state)
{
    (void)state;
    model_under_test m =
        load_model("<2, m 1, x 1> [ lock m  x := 1  unlock m ] [ lock m  x := 2  assert x == 1 ]");
    mz_choices_prescribe(&m.choices, NULL, 0);
    const uint32_t good[] = {0, 0, 0, 1, 1};
    assert_int_equal(mz_machine_run(m.machine, good, 5, &m.choices), 5);
    assert_int_equal(value_of(&m, "x"), 2);
    assert_int_equal(mz_machine_run(m.machine, (uint32_t[]){1, 1}, 2, &m.choices), 0); /* it fails */
    m.machine->class->reset(m.machine, &m.choices);
    const uint32_t waiting[] = {0, 1, 0};
    assert_int_equal(mz_machine_run(m.machine, waiting, 3, &m.choices), 1); /* the lock is taken */
    assert_int_equal(mz_machine_run(m.machine, waiting, 0, &m.choices), 0);
    assert_int_equal(value_of(&m, "x"), 0);
    unload_model(&m);
}

static void pending_operations_are_described(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, x 2>\n\n<{2 [ if\tx[$]  == $ // why\n then { skip } ] }>");
    mz_text text = {0};
    mz_position position = {0};
    m.machine->class->describe_pending(m.machine, 1, &text, &position);
    assert_string_equal(mz_text_string(&text), "if x[1] == 1");
    assert_int_equal(position.line, 3);
    assert_int_equal(position.column, 7);
    mz_text_release(&text);
    unload_model(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_work_belongs_to_the_operation_before),
        cmocka_unit_test(locals_belong_to_their_process),
        cmocka_unit_test(initial_values_come_back_with_reset),
        cmocka_unit_test(branches_and_loops),
        cmocka_unit_test(compare_and_swap),
        cmocka_unit_test(an_atomic_block_is_one_event),
        cmocka_unit_test(a_failing_atomic_block_writes_nothing),
        cmocka_unit_test(a_failing_statement_with_cas_writes_nothing),
        cmocka_unit_test(failing_after_an_operation_keeps_the_operation),
        cmocka_unit_test(locks),
        cmocka_unit_test(unlocking_what_one_does_not_hold),
        cmocka_unit_test(await_is_ready_while_its_condition_holds),
        cmocka_unit_test(guards_that_fail),
        cmocka_unit_test(assumptions_and_assertions),
        cmocka_unit_test(assertions_can_be_ignored),
        cmocka_unit_test(failures_say_where),
        cmocka_unit_test(failures_before_the_first_operation),
        cmocka_unit_test(endless_local_work_is_noticed),
        cmocka_unit_test(choices_are_made_before_their_statement),
        cmocka_unit_test(choices_in_loops_and_blocks_are_made_anew),
        cmocka_unit_test(snapshots_bring_a_state_back),
        cmocka_unit_test(fingerprints_name_states_not_paths),
        cmocka_unit_test(sequences_run_up_to_what_cannot_happen),
        cmocka_unit_test(pending_operations_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
