/* Constraint sets: the machine that keeps one, the set that a plan amounts to, what is left of it. */
#include "algo/algorithm.h"
#include "models.h"
#include "safe/plan/extract.h"
#include "safe/plan/small_set.h"
#include "safe/plan/symbolic.h"
#include "search/safe_prefix.h"

/* ---- the machine ------------------------------------------------------------------------------------------
 */

static void an_edge_holds_back(void **state)
{
    (void)state;
    model_under_test m = load_model("<2, x 1, y 1> [ x := 1 x := 2 ] [ y := 1 y := 2 ]");
    mz_edge edge = {{0, 2}, {1, 2}};
    mz_machine *c = mz_constrain(m.machine, &edge, 1, false);
    mz_choices none = {0};
    mz_operation operation;
    mz_text text = {0};
    char *before = mz_allocate(c->snapshot_bytes);
    assert_int_equal(c->class->reset(c, &none), MZ_STEP_DONE);
    assert_int_equal(c->status->ready, 3);
    c->class->step(c, 1, &none, &operation);
    assert_int_equal(c->status->ready, 1);
    assert_int_equal(c->status->blocked, 2);
    c->class->pending(c, 1, &operation); /* it touches nothing until it may happen */
    assert_int_equal(operation.access_count, 0);
    c->class->describe_wait(c, 1, &text);
    assert_string_equal(mz_text_string(&text), "operation 2 of process 0, by a constraint");
    c->class->step(c, 0, &none, &operation);
    assert_int_equal(c->status->ready, 1);
    c->class->save(c, before);
    c->class->step(c, 0, &none, &operation);
    assert_int_equal(c->status->ready, 2);
    c->class->pending(c, 1, &operation);
    assert_int_equal(operation.access_count, 1);
    assert_int_equal(operation.cause_count, 1);
    assert_int_equal(operation.causes[0].thread, 0);
    assert_int_equal(operation.causes[0].index, 2);
    c->class->restore(c, before);
    assert_int_equal(c->status->ready, 1);
    mz_release(before);
    mz_release(none.made);
    mz_text_release(&text);
    c->class->destroy(c);
    unload_model(&m);
}

/* "3 traces", "0 traces, deadlock" … */
static const char *explored(const char *source, const mz_edge *edges, size_t count)
{
    static char result[100];
    model_under_test m = load_model(source);
    mz_machine *c = mz_constrain(m.machine, edges, count, false);
    mz_search s;
    mz_search_init(&s, c, &(mz_search_options){.checks = MZ_FAILURES_ALL, .all_errors = true});
    mz_algorithm_optimal.run(&s);
    snprintf(result, sizeof result, "%llu%s%s", (unsigned long long)s.statistics.traces,
             s.problem_count ? " " : "", s.problem_count ? mz_failure_name(s.problems[0].failure.kind) : "");
    mz_search_release(&s);
    c->class->destroy(c);
    unload_model(&m);
    return result;
}

static void what_is_explored_keeps_the_edges(void **state)
{
    (void)state;
    static const char writes[] = "<2, x 1> [ x := 1 x := 2 ] [ x := 3 x := 4 ]";
    assert_string_equal(explored(writes, NULL, 0), "6");
    assert_string_equal(explored(writes, (mz_edge[]){{{0, 1}, {1, 2}}}, 1), "5");
    assert_string_equal(explored(writes, (mz_edge[]){{{0, 2}, {1, 1}}}, 1), "1");
    /* one that never comes, and two that wait for each other */
    assert_string_equal(explored(writes, (mz_edge[]){{{0, 3}, {1, 2}}}, 1), "3 deadlock");
    assert_string_equal(explored(writes, (mz_edge[]){{{0, 2}, {1, 1}}, {{1, 2}, {0, 1}}}, 2), "1 deadlock");
}

/* ---- small sets -------------------------------------------------------------------------------------------
 */

typedef struct made {
    mz_plan plan;
    mz_extraction extraction;
    size_t prefix;
    model_under_test model;
    int trials_left;
} made;

static void begin(void *context, mz_search *s)
{
    made *m = context;
    assert_true(mz_plan_extract(&m->plan, &m->extraction, s->machine, s->execution, 0, true));
}

static void shrink(void *context, mz_search *s, size_t depth)
{
    made *m = context;
    (void)s;
    m->prefix = depth;
}

static void make(made *m, const char *source)
{
    *m = (made){.model = load_model(source), .trials_left = 1000};
    mz_safe_prefix safe = {.begin = begin, .shrink = shrink, .context = m};
    mz_search_options options = {.checks = MZ_FAILURES_ALL, .all_errors = true, .safe_prefix = &safe};
    mz_search s;
    mz_search_init(&s, m->model.machine, &options);
    mz_algorithm_source.run(&s);
    mz_search_release(&s);
    m->plan.prefix = (uint32_t)m->prefix;
}

static void unmake(made *m)
{
    mz_plan_release(&m->plan);
    mz_extraction_release(&m->extraction);
    unload_model(&m->model);
}

static mz_trial verify(void *context, const mz_edges *set)
{
    made *m = context;
    if (m->trials_left-- == 0)
        return MZ_TRIAL_NO_TIME;
    mz_machine *c = mz_constrain(m->model.machine, set->edges, set->count, false);
    mz_search s;
    mz_search_init(&s, c, &(mz_search_options){.checks = MZ_FAILURES_ALL});
    mz_algorithm_optimal.run(&s);
    bool safe = mz_search_verdict(&s) == MZ_SAFE && s.statistics.pruned == 0;
    mz_search_release(&s);
    c->class->destroy(c);
    return safe ? MZ_TRIAL_SAFE : MZ_TRIAL_UNSAFE;
}

static const char *edges_text(const mz_edges *set)
{
    static char result[400];
    size_t length = 0;
    result[0] = '\0';
    for (size_t i = 0; i < set->count; i++) {
        mz_edge e = set->edges[i];
        length += (size_t)snprintf(result + length, sizeof result - length, "%s%u:%u>%u:%u", i ? " " : "",
                                   e.from.thread, e.from.count, e.to.thread, e.to.count);
    }
    return result;
}

/* The second process must not look between the two writes; the third has nothing to do with them. */
static const char window[] = "<3, x 1, y 1> [ x := 1 x := 0 ] [ assert x == 0 ] [ y := 1 ]";

static void rules_are_edges(void **state)
{
    (void)state;
    static const struct {
        const char *model, *edges;
        uint32_t prefix;
    } cases[] = {
        {"<2, x 1, y 1> [ x := 1 y := 1 ] [ x := 2 y := 2 ]", "0:1>1:1 0:2>1:2", 4},
        /* the last of the prefix before all others */
        {"<2, x 1, y 1> [ x := 1 y := 1 ] [ x := 2 y := 2 ]", "0:1>1:1", 1},
        {"<2, x 1, y 1> [ x := 1 y := 1 ] [ x := 2 y := 2 ]", "0:2>1:1", 2},
        {"<3, x 1, y 1> [ x := 1 ] [ y := 1 y := 2 ] [ x := 2 ]", "0:1>1:2 0:1>2:1 1:1>2:1", 2},
        {"<2, x 1, y 1> [ x := 1 y := 1 ] [ x := 2 y := 2 ]", "", 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        made m;
        mz_edges set = {0};
        make(&m, cases[i].model);
        m.plan.prefix = cases[i].prefix;
        mz_edges_of_plan(&m.plan, &set);
        assert_string_equal(edges_text(&set), cases[i].edges);
        mz_edges_release(&set);
        unmake(&m);
    }
}

static void what_is_not_needed_is_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *model, *edges;
    } cases[] = {
        {window, "0:2>1:1"},
        {"<2, x 1> [ x := 1 ] [ x := 2 ]", ""},
        /* looking and taking, each for itself; the second may look when the first has taken */
        {"<2, x 1, local l 1> [ l := x x := l + 1 ] [ l := x x := l + 1 assert x == 2 ]", "0:2>1:1"},
        /* locks in both orders: the second process waits until the first has both */
        {"<2, m 1, n 1> [ lock m lock n unlock n unlock m ] [ lock n lock m unlock m unlock n ]", "0:2>1:1"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        made m;
        make(&m, cases[i].model);
        mz_minimisation found = {.plan = &m.plan, .verify = verify, .context = &m};
        mz_minimise(&found);
        assert_true(found.has_set && found.is_minimal);
        assert_string_equal(edges_text(&found.set), cases[i].edges);
        mz_edges_release(&found.set);
        unmake(&m);
    }
}

static void when_the_time_is_up_what_is_verified_stays(void **state)
{
    (void)state;
    for (int trials = 0; trials < 4; trials++) {
        made m;
        make(&m, window);
        m.trials_left = trials;
        mz_minimisation found = {.plan = &m.plan, .verify = verify, .context = &m};
        mz_minimise(&found);
        assert_int_equal(found.has_set, trials > 0);
        assert_false(found.is_minimal);
        m.trials_left = 1;
        if (found.has_set)
            assert_int_equal(verify(&m, &found.set), MZ_TRIAL_SAFE);
        mz_edges_release(&found.set);
        unmake(&m);
    }
}

static void a_set_is_a_plan(void **state)
{
    (void)state;
    made m;
    mz_symbolic_plan read;
    mz_error error = {0};
    mz_text first = {0}, second = {0};
    mz_edge edge = {{0, 2}, {1, 1}};
    make(&m, window);
    mz_plan_keep_edges(&m.plan, &(mz_edges){.edges = &edge, .count = 1});
    assert_int_equal(m.plan.event_count, 2);
    assert_int_equal(mz_plan_constraints(&m.plan, m.plan.prefix), 1);
    mz_symbolic_text(&(mz_symbolic_plan){.plans = &m.plan, .plan_count = 1}, &first);
    assert_contains(mz_text_string(&first), "rule edges\n");
    assert_true(mz_symbolic_parse(&read, "p.mzs", mz_text_string(&first), first.length, &error));
    assert_true(read.plans[0].edges_only);
    mz_symbolic_text(&read, &second);
    assert_string_equal(mz_text_string(&first), mz_text_string(&second));
    mz_plan_image *image = mz_allocate_zeroed(1, mz_plan_image_bytes(&read.plans[0]));
    mz_plan_image_fill(&read.plans[0], 0, image);
    assert_int_equal(image->flags, MZ_PLAN_EDGES_ONLY);
    assert_int_equal(image->prefix, 2);
    mz_release(image);
    mz_symbolic_release(&read);
    mz_text_release(&first);
    mz_text_release(&second);
    unmake(&m);
    make(&m, window);
    mz_plan_keep_edges(&m.plan, &(mz_edges){0}); /* nothing left to keep: all is verified */
    assert_false(m.plan.edges_only);
    assert_int_equal(m.plan.prefix, 0);
    unmake(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_holds_back),
        cmocka_unit_test(what_is_explored_keeps_the_edges),
        cmocka_unit_test(rules_are_edges),
        cmocka_unit_test(what_is_not_needed_is_left_out),
        cmocka_unit_test(when_the_time_is_up_what_is_verified_stays),
        cmocka_unit_test(a_set_is_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
