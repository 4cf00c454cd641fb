/* Which trace comes first: the rules, what a plan costs, and the order in which a trace is followed. */
#include "safe/verify/first_trace_rules.h"

#include "algo/algorithm.h"
#include "machine/identity.h"
#include "models.h"
#include "safe/plan/cost.h"
#include "safe/plan/extract.h"
#include "safe/plan/trace_order.h"

/* A rule that was followed in a model, and the plan that keeps to it. */
typedef struct followed {
    model_under_test model;
    mz_execution *execution;
    mz_plan plan;
    bool ends_well;
} followed;

/* All processes are created by the first one, in their order, before it does anything else. */
static followed follow(const char *source, mz_first_trace which, const mz_seen_order *seen)
{
    followed f = {.model = load_model(source)};
    mz_extraction extraction = {0};
    f.execution = mz_execution_create(f.model.machine, true);
    f.ends_well = mz_first_trace_run(f.model.machine, f.execution, which, seen, NULL, 0, 100);
    if (f.ends_well)
        assert_true(mz_plan_extract(&f.plan, &extraction, f.model.machine, f.execution, 0, false));
    for (uint32_t t = 1; t < f.plan.thread_count; t++)
        f.plan.threads[t] = (mz_plan_thread){.parent = 0, .child = t - 1};
    mz_extraction_release(&extraction);
    return f;
}

static void release(followed *f)
{
    mz_execution_destroy(f->execution);
    mz_plan_release(&f->plan);
    unload_model(&f->model);
}

/* "0011": whose events, in which order. */
static const char *threads_of(const mz_execution *x)
{
    static char result[101];
    for (size_t i = 0; i < x->length; i++)
        result[i] = (char)('0' + x->events[i].thread);
    result[x->length] = 0;
    return result;
}

static void rules_say_who_is_next(void **state)
{
    (void)state;
    static const char locks[] = "<2, m 1, x 1> <{2 [ lock m x := 1 unlock m lock m x := 2 unlock m ] }>",
                      three[] = "<3, x 1, y 1, z 1> [ x := 1 y := 1 ] [ y := 2 z := 2 ] [ z := 3 x := 3 ]";
    static const struct {
        const char *model;
        mz_first_trace which;
        const char *threads;
    } cases[] = {
        {locks, MZ_FIRST_SEQUENTIAL, "000000111111"},
        {locks, MZ_FIRST_FAIR, "000111000111"},
        {locks, MZ_FIRST_ROUND_ROBIN, "000111000111"}, /* who has the lock is alone */
        {three, MZ_FIRST_SEQUENTIAL, "001122"},
        {three, MZ_FIRST_ROUND_ROBIN, "012012"},
        /* the third one's first operation is free, the second one's is not */
        {three, MZ_FIRST_FEWEST_EDGES, "002211"},
        /* the same process waits again, for two others, rather than another one for one */
        {"<3, x 1, y 1, z 1> [ x := 1 ] [ x := 2 y := 2 ] [ y := 1 ]", MZ_FIRST_FEWEST_WAITS, "0211"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        followed f = follow(cases[i].model, cases[i].which, NULL);
        assert_true(f.ends_well);
        if (strcmp(threads_of(f.execution), cases[i].threads) != 0)
            fail_msg("%s %s: %s", mz_first_trace_name(cases[i].which), cases[i].model,
                     threads_of(f.execution));
        release(&f);
    }
}

static void a_free_run_is_followed(void **state)
{
    (void)state;
    static const char model[] = "<3, x 1> <{3 [ x := 1 x := 2 ] }>";
    static mz_seen seen[] = {{2, 1}, {0, 1}, {0, 2}, {1, 1}, {2, 2}, {1, 2}};
    followed f = follow(model, MZ_FIRST_FREE_RUN, &(mz_seen_order){.operations = seen, .count = 6});
    assert_string_equal(threads_of(f.execution), "200121");
    release(&f);
    /* what was not seen comes with what follows, or in the end */
    static mz_seen some[] = {{2, 2}, {1, 1}};
    f = follow(model, MZ_FIRST_FREE_RUN, &(mz_seen_order){.operations = some, .count = 2});
    assert_true(f.ends_well);
    assert_string_equal(threads_of(f.execution), "221001");
    release(&f);
}

static void what_fails_is_no_candidate(void **state)
{
    (void)state;
    static const char *const models[] = {
        "<2, x 1> [ x := 1 assert x == 2 ] [ x := 2 ]", "<2, x 1> [ x := 1 ] [ assume x == 0 ]",
        "<2, x 1, m 1> [ lock m ] [ lock m ]", "<1, x 1> [ <{101 x := 1 }> ]", /* too long */
    };
    for (size_t i = 0; i < LENGTH(models); i++) {
        followed f = follow(models[i], MZ_FIRST_SEQUENTIAL, NULL);
        assert_false(f.ends_well);
        release(&f);
    }
}

/* ---- costs ----------------------------------------------------------------------------------------------
 */

static double cost_of(const char *model, mz_first_trace which, uint32_t work, uint32_t processors)
{
    followed f = follow(model, which, NULL);
    assert_true(f.ends_well);
    for (uint32_t i = 0; i < f.plan.length; i++)
        f.plan.events[i].work = work;
    double cost = mz_plan_cost(&f.plan, f.execution, NULL, processors);
    release(&f);
    return cost;
}

static void costs_are_in_order(void **state)
{
    (void)state;
    static const char chain[] = "<5, x 5, y 1> [ y := 1 ] [ x[0] := 1 x[1] := 1 ] "
                                "[ x[1] := 1 x[2] := 1 ] [ x[2] := 1 x[3] := 1 ] [ x[3] := 1 x[4] := 1 ]",
                      apart[] = "<2, x 1, y 1> [ x := 1 x := 2 ] [ y := 1 y := 2 ]",
                      rounds[] = "<2, x 1> <{2 [ x := 1 x := 2 x := 3 x := 4 x := 5 x := 6 ] }>";
    /* as many constraints, but who is created first waits for who is created last */
    assert_true(cost_of(chain, MZ_FIRST_SEQUENTIAL, 0, 2) < cost_of(chain, MZ_FIRST_ROUND_ROBIN, 0, 2));
    /* handing over often costs if there is nothing to do meanwhile; doing all one after the other if there is
     */
    assert_true(cost_of(rounds, MZ_FIRST_SEQUENTIAL, 0, 2) < cost_of(rounds, MZ_FIRST_ROUND_ROBIN, 0, 2));
    assert_true(cost_of(rounds, MZ_FIRST_SEQUENTIAL, 100000, 2) >
                cost_of(rounds, MZ_FIRST_ROUND_ROBIN, 100000, 2));
    /* what nothing keeps apart is done at the same time, if there are processors */
    assert_true(cost_of(apart, MZ_FIRST_SEQUENTIAL, 100000, 2) < 300000);
    assert_true(cost_of(apart, MZ_FIRST_SEQUENTIAL, 100000, 1) > 400000);
}

static void a_shorter_prefix_may_cost_less(void **state)
{
    (void)state;
    followed f = follow("<2, x 1> <{2 [ x := 1 x := 2 ] }>", MZ_FIRST_SEQUENTIAL, NULL);
    for (uint32_t i = 0; i < f.plan.length; i++)
        f.plan.events[i].work = 100000;
    f.plan.events[0].work = 400000;
    double all = mz_plan_cost(&f.plan, f.execution, NULL, 2);
    double half = mz_plan_cost(&f.plan, f.execution, (const bool[]){true, false, false, false}, 2);
    double none = mz_plan_cost(&f.plan, f.execution, (const bool[]){false, false, false, false}, 2);
    assert_true(none < half && half < all);
    release(&f);
}

/* ---- orders ---------------------------------------------------------------------------------------------
 */

static void orders_agree_with_happens_before(void **state)
{
    (void)state;
    static const char *const models[] = {
        "<3, x 1, y 1, z 1> [ x := 1 y := 1 ] [ y := 2 z := 2 ] [ z := 3 x := 3 ]",
        "<4, m 2, x 1> <{2 [ lock m[0] x := 1 unlock m[0] ] }> <{2 [ lock m[1] unlock m[1] ] }>",
        "<3, x 1, local l 1> [ x := 1 l := choose(1, 3) x := l ] [ x := 2 ] [ l := x ]",
    };
    for (size_t i = 0; i < LENGTH(models); i++)
        for (int which = MZ_FIRST_AUTO + 1; which < MZ_FIRST_FREE_RUN; which++) {
            followed f = follow(models[i], (mz_first_trace)which, NULL);
            mz_execution *x = f.execution;
            uint32_t *order = mz_allocate_zeroed(x->length, sizeof *order);
            mz_schedule schedule;
            mz_plan_order(&f.plan, x, 0, 2, order);
            for (size_t a = 0; a < x->length; a++)
                for (size_t b = a + 1; b < x->length; b++)
                    assert_true(order[a] != order[b] && !mz_happens_before(x, order[b], order[a]));
            mz_schedule_copy_in_order(&schedule, x, order);
            assert_int_equal(schedule.length, x->length);
            assert_int_equal(x->length ? schedule.choice_ends[x->length - 1] : 0, x->choice_count);
            mz_schedule_release(&schedule);
            mz_release(order);
            release(&f);
        }
}

/* How many traces have to be verified until the plan costs no more than halfway between all and none. */
typedef struct progress {
    followed *f;
    const uint32_t *order; /* NULL: as it is */
    double enough;
    uint64_t traces;
} progress;

static void ignore(void *context, mz_search *search)
{
    (void)context;
    (void)search;
}

static void look_at_cost(void *context, mz_search *search, size_t depth)
{
    progress *p = context;
    size_t length = p->f->execution->length;
    bool *inside = mz_allocate_zeroed(length, sizeof *inside);
    for (size_t i = 0; i < depth; i++)
        inside[p->order ? p->order[i] : i] = true;
    if (p->traces == 0 && mz_plan_cost(&p->f->plan, p->f->execution, inside, 2) <= p->enough)
        p->traces = search->statistics.traces;
    mz_release(inside);
}

static uint64_t traces_until_half(followed *f, const uint32_t *order)
{
    size_t length = f->execution->length;
    bool *none = mz_allocate_zeroed(length, sizeof *none);
    double all = mz_plan_cost(&f->plan, f->execution, NULL, 2);
    progress p = {.f = f, .order = order};
    p.enough = (all + mz_plan_cost(&f->plan, f->execution, none, 2)) / 2;
    mz_schedule schedule;
    mz_schedule_copy_in_order(&schedule, f->execution, order);
    mz_safe_prefix safe = {.follow = &schedule, .begin = ignore, .shrink = look_at_cost, .context = &p};
    mz_search_options options = {.checks = MZ_FAILURES_ALL, .all_errors = true, .safe_prefix = &safe};
    mz_search s;
    mz_search_init(&s, f->model.machine, &options);
    mz_algorithm_source.run(&s);
    assert_true(safe.has_first && p.traces > 0);
    mz_search_release(&s);
    mz_schedule_release(&schedule);
    mz_release(none);
    return p.traces;
}

/* Two processes that work much between their operations have to wait for each other; three others do not
 * matter. What the first two wait for is verified away first. */
static void what_costs_most_is_verified_first(void **state)
{
    (void)state;
    followed f =
        follow("<5, x 1, y 1> <{2 [ x := 1 x := 2 ] }> <{3 [ y := 1 y := 2 ] }>", MZ_FIRST_SEQUENTIAL, NULL);
    for (uint32_t i = 0; i < f.plan.length; i++)
        f.plan.events[i].work = f.plan.events[i].thread < 2 ? 1000000 : 0;
    uint32_t order[10];
    assert_int_equal(f.execution->length, 10);
    mz_plan_order(&f.plan, f.execution, 0, 2, order);
    uint64_t arranged = traces_until_half(&f, order), plain = traces_until_half(&f, NULL);
    if (arranged * 4 > plain)
        fail_msg("%llu traces instead of %llu", (unsigned long long)arranged, (unsigned long long)plain);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_say_who_is_next),
        cmocka_unit_test(a_free_run_is_followed),
        cmocka_unit_test(what_fails_is_no_candidate),
        cmocka_unit_test(costs_are_in_order),
        cmocka_unit_test(a_shorter_prefix_may_cost_less),
        cmocka_unit_test(orders_agree_with_happens_before),
        cmocka_unit_test(what_costs_most_is_verified_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
