/* What each kind of statement announces before it happens: kind, locations, and the flags that the algorithms
 * go by. step_model() sees to it that every step then does just that. */
#include "models.h"

typedef struct announced {
    const char *statement;
    mz_operation_kind kind;
    const char *flags; /* b: blocking, i: branching (an if), d: dynamic */
    const char *footprint;
} announced;

/* a is 2, 1, 0; l is 1; everything else 0. */
static const char declarations[] = "<1, x 1, y 1, a 3 2 1 0, local l 1 1, local k 3, const c 2 1 0>";

static void check(const announced *expected)
{
    mz_text source = {0};
    char flags[4];
    mz_text_add(&source, "%s [ %s ]", declarations, expected->statement);
    model_under_test m = load_model(mz_text_string(&source));
    mz_operation pending = pending_of(&m, 0);
    snprintf(flags, sizeof flags, "%s%s%s", pending.blocking ? "b" : "", pending.branching ? "i" : "",
             pending.dynamic ? "d" : "");
    mz_text footprint = {0};
    write_footprint(&m, &pending, &footprint);
    if (pending.kind != expected->kind || strcmp(flags, expected->flags) != 0 ||
        strcmp(mz_text_string(&footprint), expected->footprint) != 0)
        fail_msg("%s: expected kind %d, flags '%s', '%s', got kind %d, flags '%s', '%s'", expected->statement,
                 expected->kind, expected->flags, expected->footprint, pending.kind, flags,
                 mz_text_string(&footprint));
    for (uint32_t i = 0; i < pending.access_count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_int_not_equal(pending.accesses[i].location, pending.accesses[j].location); /* each once */
    if (m.machine->status->ready)
        step_model(&m, 0);
    mz_text_release(&footprint);
    mz_text_release(&source);
    unload_model(&m);
}

static void check_all(const announced *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&cases[i]);
}

static void assignments(void **state)
{
    (void)state;
    static const announced cases[] = {
        {"x := 1", MZ_OP_WRITE, "", "x:w"},
        {"x := l", MZ_OP_WRITE, "", "x:w"},
        {"l := x", MZ_OP_READ, "", "x:r"},
        {"x := y", MZ_OP_UPDATE, "", "x:w y:r"},
        {"x := x + 1", MZ_OP_UPDATE, "", "x:rw"},
        {"x := x + y + x + a[2]", MZ_OP_UPDATE, "", "x:rw y:r a[2]:r"},
        {"x := choose(0, 1)", MZ_OP_WRITE, "", "x:w"},
        {"a[2] := a[1]", MZ_OP_UPDATE, "", "a[1]:r a[2]:w"},
        {"a[l] := 1", MZ_OP_WRITE, "", "a[1]:w"}, /* where it writes is known: l is local */
        {"a[l + 1] := a[l]", MZ_OP_UPDATE, "", "a[1]:r a[2]:w"},
        {"a[y] := 1", MZ_OP_UPDATE, "d", "y:r a[0]:w"},
        {"l := a[a[0]]", MZ_OP_READ, "d", "a[0]:r a[2]:r"},
        {"a[a[0]] := a[a[1]]", MZ_OP_UPDATE, "d", "a[0]:r a[1]:r a[2]:w"},
        {"x := 1 / l", MZ_OP_WRITE, "", "x:w"},
        {"k[0] := 1 / (x + 1)", MZ_OP_READ, "", "x:r"}, /* one location, whatever happens */
        {"x := 1 / (y + 1)", MZ_OP_UPDATE, "d", "x:w y:r"},
        {"x := 1 / y", MZ_OP_UPDATE, "d", "y:r"}, /* fails before it writes */
        {"x := a[y + 3]", MZ_OP_UPDATE, "d", "y:r"},
        {"x := c[l]", MZ_OP_WRITE, "", "x:w"},
    };
    check_all(cases, LENGTH(cases));
}

/* As with a division by y: whether x is written depends on what is read, for the index may be wrong. */
static void an_index_of_a_local_or_constant_may_fail(void **state)
{
    (void)state;
    static const announced cases[] = {
        {"x := c[y]", MZ_OP_UPDATE, "d", "x:w y:r"},
        {"x := c[y + 5]", MZ_OP_UPDATE, "d", "y:r"},
        {"x := k[y]", MZ_OP_UPDATE, "d", "x:w y:r"},
        {"x := k[y + 5]", MZ_OP_UPDATE, "d", "y:r"},
    };
    check_all(cases, LENGTH(cases));
}

static void conditions(void **state)
{
    (void)state;
    static const announced cases[] = {
        {"if x == 1", MZ_OP_READ, "", "x:r"}, /* a read: nothing depends on it */
        {"if x == 1 { }", MZ_OP_READ, "i", "x:r"},
        {"if x == 1 then { } else { }", MZ_OP_READ, "i", "x:r"},
        {"while x == 1 { y := 1 }", MZ_OP_READ, "i", "x:r"},
        {"if x == 0 && y == 0 { }", MZ_OP_READ, "id", "x:r y:r"},
        {"if x == 1 && y == 0 { }", MZ_OP_READ, "id", "x:r"},
        {"if l == 0 || y == 0 { }", MZ_OP_READ, "i", "y:r"},
        {"if l == 0 || y == 0 && x == 1 { }", MZ_OP_READ, "id", "x:r y:r"},
        {"assert x == 0", MZ_OP_READ, "", "x:r"},
        {"assert x == 1", MZ_OP_READ, "", "x:r"},
        {"assume x == 0", MZ_OP_READ, "", "x:r"},
        {"assume x == 1 || y == 1", MZ_OP_READ, "d", "x:r y:r"},
    };
    check_all(cases, LENGTH(cases));
}

static void compare_and_swap(void **state)
{
    (void)state;
    static const announced cases[] = {
        {"cas(x, 0, 1)", MZ_OP_UPDATE, "", "x:rw"},
        {"cas(x, 1, 1)", MZ_OP_UPDATE, "", "x:r"},
        {"cas(a[l], 1, 5)", MZ_OP_UPDATE, "", "a[1]:rw"},
        {"cas(x, y, 1)", MZ_OP_UPDATE, "d", "x:rw y:r"},
        {"cas(a[y], 2, 1)", MZ_OP_UPDATE, "d", "y:r a[0]:rw"},
        {"y := cas(x, 1, 5)", MZ_OP_UPDATE, "d", "x:r y:w"},
        {"if cas(x, 0, 1) { }", MZ_OP_UPDATE, "i", "x:rw"},
        {"if cas(x, 1, 1) { }", MZ_OP_UPDATE, "i", "x:r"},
        {"if cas(x, 0, 1) && cas(x, 0, 2) { }", MZ_OP_UPDATE, "id", "x:rw"},
        {"y := x + cas(x, 0, 1) * 10 + x", MZ_OP_UPDATE, "d", "x:rw y:w"},
        {"cas(l, x, 1)", MZ_OP_READ, "", "x:r"},
        {"assert cas(x, 0, 1)", MZ_OP_UPDATE, "", "x:rw"},
        {"assert cas(x, 0, 1) == 0", MZ_OP_UPDATE, "", "x:r"}, /* it fails: undone */
    };
    check_all(cases, LENGTH(cases));
}

static void waiting(void **state)
{
    (void)state;
    static const announced cases[] = {
        {"lock x", MZ_OP_LOCK, "b", "x:rw"},
        {"lock a[2]", MZ_OP_LOCK, "b", "a[2]:rw"},
        {"lock a[0]", MZ_OP_LOCK, "b", "a[0]:rw"}, /* not free: it waits, and says for what */
        {"lock a[l + 1]", MZ_OP_LOCK, "b", "a[2]:rw"},
        {"lock a[a[0]]", MZ_OP_LOCK, "bd", "a[0]:r a[2]:rw"},
        {"unlock x", MZ_OP_UNLOCK, "", "x:r"},        /* fails: nobody holds it */
        {"unlock a[1]", MZ_OP_UNLOCK, "", "a[1]:rw"}, /* holds 1: process 0 does */
        {"await x == 0", MZ_OP_AWAIT, "b", "x:r"},
        {"await x == 1", MZ_OP_AWAIT, "b", "x:r"},
        {"await x == 1 || y == 0", MZ_OP_AWAIT, "bd", "x:r y:r"},
        {"await a[l] == 1", MZ_OP_AWAIT, "b", "a[1]:r"},
    };
    check_all(cases, LENGTH(cases));
}

static void atomic_blocks(void **state)
{
    (void)state;
    static const announced cases[] = {
        {"atomic { x := 1  y := 2 }", MZ_OP_ATOMIC, "", "x:w y:w"},
        {"atomic { l := x  y := l }", MZ_OP_ATOMIC, "", "x:r y:w"},
        {"atomic { x := 1  l := x }", MZ_OP_ATOMIC, "", "x:w"}, /* it sees its own write */
        {"atomic { l := y  a[l] := 1 }", MZ_OP_ATOMIC, "d", "y:r a[0]:w"},
        {"atomic { if x == 0 { y := 1 } else { a[0] := 1 } }", MZ_OP_ATOMIC, "d", "x:r y:w"},
        {"atomic { if x == 1 { y := 1 } else { a[0] := 1 } }", MZ_OP_ATOMIC, "d", "x:r a[0]:w"},
        {"atomic { while x < 2 { x := x + 1 } }", MZ_OP_ATOMIC, "d", "x:rw"},
        {"atomic { cas(x, 0, 1)  cas(x, 0, 2) }", MZ_OP_ATOMIC, "d", "x:rw"},
        {"atomic { x := 1  a[x + 1] := x }", MZ_OP_ATOMIC, "d", "x:w a[2]:w"},
        {"atomic { atomic { x := 1 }  y := 1 }", MZ_OP_ATOMIC, "", "x:w y:w"},
        {"atomic { x := choose(0, 1) }", MZ_OP_ATOMIC, "", "x:w"},
        {"atomic { unlock a[1]  x := 1 }", MZ_OP_ATOMIC, "d", "x:w a[1]:rw"},
        {"atomic { x := 1  assert y == 1 }", MZ_OP_ATOMIC, "d", "y:r"},
    };
    check_all(cases, LENGTH(cases));
}

/* Race reversal for waiting operations needs one fixed location per guard: see search/races.c. */
static void guards_over_several_locations_are_flagged(void **state)
{
    (void)state;
    static const struct {
        const char *statement;
        bool complex;
    } cases[] = {
        {"lock x", false},          {"await x == 1", false},          {"lock a[l]", false},
        {"await l == x", false},    {"await x == 1 && y == 1", true}, {"await x == y", true},
        {"lock a[x]", true},        {"await a[x] == 1", true},        {"x := y", false},
        {"await x * x == 1", true},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mz_text source = {0};
        mz_text_add(&source, "%s [ %s ]", declarations, cases[i].statement);
        model_under_test m = load_model(mz_text_string(&source));
        if (m.machine->complex_blocking != cases[i].complex)
            fail_msg("%s: complex_blocking is %d", cases[i].statement, m.machine->complex_blocking);
        unload_model(&m);
        mz_text_release(&source);
    }
}

/* Promise (1) of machine.h, on random walks: an operation that does not conflict with a step keeps its
 * footprint over that step, and one that does still conflicts with it afterwards. */
static void check_promise(model_under_test *m, uint64_t *random)
{
    while (m->machine->status->ready) {
        mz_threads ready = m->machine->status->ready;
        for (uint32_t skip = random_below(random, mz_threads_count(ready)); skip > 0; skip--)
            ready &= ready - 1;
        uint32_t mover = mz_threads_first(ready);
        mz_threads others = (m->machine->status->ready | m->machine->status->blocked) & ~mz_threads_of(mover);
        mz_text before[8] = {{0}};
        bool conflicts[8] = {false};
        MZ_FOR_EACH_THREAD(t, others)
        {
            mz_access mine[16];
            mz_operation own = pending_of(m, mover);
            assert_true(own.access_count <= 16);
            memcpy(mine, own.accesses, own.access_count * sizeof *mine);
            own.accesses = mine;
            mz_operation other = pending_of(m, t);
            conflicts[t] = mz_operations_conflict(&own, &other);
            write_footprint(m, &other, &before[t]);
        }
        step_model(m, mover);
        MZ_FOR_EACH_THREAD(u, others)
        {
            mz_operation after = pending_of(m, u);
            mz_text text = {0};
            write_footprint(m, &after, &text);
            if (conflicts[u])
                assert_true(mz_operations_conflict(&after, &m->executed));
            else
                assert_string_equal(mz_text_string(&text), mz_text_string(&before[u]));
            mz_text_release(&text);
            mz_text_release(&before[u]);
        }
    }
}

static void footprints_change_only_by_conflicts(void **state)
{
    (void)state;
    const char *source =
        "<4, x 3, y 1, m 1, local l 1>\n"
        "[ x[x[0]] := 1  cas(x[y % 3], 0, 2)  lock m  y := y + x[2]  unlock m ]\n"
        "[ atomic { l := x[0]  x[l % 3] := y }  lock m  if x[1] == 0 && y == 1 { x[0] := 2 } unlock m ]\n"
        "[ await x[0] == 1 || y > 0  y := x[x[1] % 3]  cas(y, x[0], 1)  unlock m ]\n"
        "[ x[0] := 1 / x[1]  assert cas(x[2], 0, 1) ]";
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t random = seed;
        model_under_test m = load_model(source);
        check_promise(&m, &random);
        unload_model(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments),
        cmocka_unit_test(an_index_of_a_local_or_constant_may_fail),
        cmocka_unit_test(conditions),
        cmocka_unit_test(compare_and_swap),
        cmocka_unit_test(waiting),
        cmocka_unit_test(atomic_blocks),
        cmocka_unit_test(guards_over_several_locations_are_flagged),
        cmocka_unit_test(footprints_change_only_by_conflicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
