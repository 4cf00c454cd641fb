/* Plans: the prefix that a search publishes, the constraints that are extracted, the file and the image. */
#include "safe/plan/symbolic.h"

#include "algo/algorithm.h"
#include "models.h"
#include "safe/plan/extract.h"
#include "search/safe_prefix.h"

/* ---- from a model to a plan ------------------------------------------------------------------------------
 */

typedef struct made {
    mz_plan plan;
    mz_extraction extraction;
    mz_text prefixes; /* "4 3 2" */
    mz_safe_prefix safe;
    uint64_t traces;
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
    mz_text_add(&m->prefixes, "%s%zu", m->prefixes.length ? " " : "", depth);
}

static void make(made *m, const char *source, const mz_schedule *follow, uint64_t traces)
{
    model_under_test model = load_model(source);
    mz_search s;
    *m = (made){.safe = {.follow = follow, .begin = begin, .shrink = shrink, .context = m}};
    mz_search_options options = {.checks = MZ_FAILURES_ALL, .all_errors = true, .safe_prefix = &m->safe};
    options.limits.traces = traces;
    mz_search_init(&s, model.machine, &options);
    mz_algorithm_source.run(&s);
    m->traces = s.statistics.traces;
    mz_search_release(&s);
    unload_model(&model);
}

static void unmake(made *m)
{
    mz_plan_release(&m->plan);
    mz_extraction_release(&m->extraction);
    mz_schedule_release(&m->safe.other);
    mz_text_release(&m->prefixes);
}

/* "1:1<-0:2,2:1 …": the events that wait. */
static const char *waits_of(const mz_plan *plan)
{
    static char result[400];
    mz_text text = {0};
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        for (uint32_t w = 0; w < e->wait_count; w++) {
            mz_plan_wait wait = plan->waits[e->first_wait + w];
            if (w == 0)
                mz_text_add(&text, "%s%u:%u<-", text.length ? " " : "", e->thread, e->count);
            mz_text_add(&text, "%s%u:%u", w ? "," : "", wait.thread, wait.count);
        }
    }
    snprintf(result, sizeof result, "%s", mz_text_string(&text));
    mz_text_release(&text);
    return result;
}

static void constraints_are_reduced(void **state)
{
    (void)state;
    static const struct {
        const char *model, *waits;
    } models[] = {
        /* x before x follows from y before y */
        {"<2, x 1, y 1> [ x := 1 y := 1 ] [ y := 2 x := 2 ]", "1:1<-0:2"},
        {"<2, x 1, y 1> [ x := 1 y := 1 ] [ x := 2 y := 2 ]", "1:1<-0:1 1:2<-0:2"},
        /* nothing in common: nothing to wait for */
        {"<2, x 1, y 1> [ x := 1 x := 2 ] [ y := 2 y := 1 ]", ""},
        /* from thread 0 over thread 1 to thread 2 */
        {"<3, x 1> [ x := 1 ] [ x := 2 ] [ x := 3 ]", "1:1<-0:1 2:1<-1:1"},
        /* a write after two reads waits for both */
        {"<3, x 1, a 1, b 1> [ a := x ] [ b := x ] [ x := 3 ]", "2:1<-0:1,1:1"},
        /* unlock before lock; not lock before lock */
        {"<2, m 1> [ lock m unlock m ] [ lock m unlock m ]", "1:1<-0:2"},
    };
    for (size_t i = 0; i < LENGTH(models); i++) {
        made m;
        make(&m, models[i].model, NULL, 0);
        assert_string_equal(waits_of(&m.plan), models[i].waits);
        assert_int_equal(m.extraction.deepest, m.plan.length);
        unmake(&m);
    }
}

static void the_prefix_shrinks(void **state)
{
    (void)state;
    static const struct {
        const char *model, *prefixes;
        bool exhausted;
    } models[] = {
        {"<2, x 1> [ x := 1 ] [ x := 2 ]", "2 1 0", false},
        {"<2, x 1, y 1> [ x := 1 x := 2 ] [ y := 2 ]", "3 2 1 0", false},
        /* 0:1 1:1 0:2 fails, and has its first event in common with the first trace */
        {"<2, x 1> [ x := 1 assert x == 1 ] [ x := 2 ]", "3 2", true},
        /* fails if the second process is first */
        {"<2, x 1> [ x := 1 x := 2 ] [ assert x == 2 ]", "3 2", true},
        /* a deadlock after both first locks */
        {"<2, m 1, n 1> [ lock m lock n unlock n unlock m ] [ lock n lock m unlock m unlock n ]",
         "8 7 6 5 4 3 2", true},
        /* an assumption that may not hold: what then happens is not known */
        {"<2, x 1> [ x := 1 ] [ assume x == 1 ]", "2 1", true},
        /* choices belong to the state before their event */
        {"<1, x 1, local l 1> [ x := 1 l := choose(0, 1) x := l ]", "2 1 0", false},
    };
    for (size_t i = 0; i < LENGTH(models); i++) {
        made m;
        make(&m, models[i].model, NULL, 0);
        if (strcmp(mz_text_string(&m.prefixes), models[i].prefixes) != 0)
            fail_msg("%s: %s", models[i].model, mz_text_string(&m.prefixes));
        assert_int_equal(m.safe.exhausted, models[i].exhausted);
        unmake(&m);
    }
}

static void a_limit_keeps_the_prefix(void **state)
{
    (void)state;
    made m;
    make(&m, "<4, x 1> <{4 [ x := 1 x := 2 ] }>", NULL, 10);
    assert_true(m.safe.has_first);
    assert_int_equal(m.traces, 10);
    assert_int_equal(strncmp(mz_text_string(&m.prefixes), "8 7", 3), 0);
    assert_lacks(mz_text_string(&m.prefixes), " 0");
    unmake(&m);
}

static void a_safe_trace_is_put_first(void **state)
{
    (void)state;
    static const char model[] = "<2, x 1> [ x := 1 assert x == 2 ] [ x := 2 ]";
    made first, second;
    make(&first, model, NULL, 0);
    assert_false(first.safe.has_first);
    assert_true(first.safe.has_other);
    make(&second, model, &first.safe.other, 0);
    assert_true(second.safe.has_first);
    assert_string_equal(waits_of(&second.plan), "1:1<-0:1 0:2<-1:1");
    assert_string_equal(mz_text_string(&second.prefixes), "3 2");
    unmake(&first);
    unmake(&second);
    make(&first, "<1, x 1> [ x := 1 assert x == 2 ]", NULL, 0);
    assert_false(first.safe.has_first || first.safe.has_other);
    unmake(&first);
}

static void choices_cannot_be_enforced(void **state)
{
    (void)state;
    made m;
    make(&m, "<2, x 1, local l 1> [ x := 1 l := choose(0, 1) x := l ] [ x := 3 ]", NULL, 0);
    assert_int_equal(m.extraction.deepest, 0);
    assert_contains(mz_text_string(&m.extraction.obstacle), "chooses");
    unmake(&m);
}

/* ---- the file ---------------------------------------------------------------------------------------------
 */

static void what_is_written_is_read(void **state)
{
    (void)state;
    mz_text first = {0}, second = {0};
    mz_error error = {0};
    mz_symbolic_plan plan;
    made m;
    make(&m, "<3, x 1, a 1, b 1> [ a := x ] [ b := x ] [ x := 3 x := 4 ]", NULL, 0);
    m.plan.hash = "12ab";
    m.plan.bug = " odd | \\ \n text ";
    m.plan.prefix = 3;
    m.plan.threads[2].child = 1;
    m.plan.threads[1].ends = 3;
    m.plan.needs_fences = m.plan.counts_accesses = true;
    mz_plan_add_line(&m.plan, "file", "a b.c");
    mz_plan_add_line(&m.plan, "argument", "");
    m.plan.events[1].place = mz_plan_add_place(&m.plan, "odd\\name+8");
    m.plan.events[1].picks = 2;
    mz_symbolic_plan one = {.plans = &m.plan, .plan_count = 1, .waived = 1u << MZ_PREMISE_USER};
    mz_symbolic_add_premise(&one, MZ_PREMISE_FILE, "a file\n", 12, UINT64_C(0xfedcba9876543210));
    mz_symbolic_add_premise(&one, MZ_PREMISE_ENVIRONMENT, "NAME", MZ_PREMISE_ABSENT, 0);
    mz_symbolic_add_premise(&one, MZ_PREMISE_PROCESSORS, "-", 4, 0);
    mz_symbolic_add_seen(&one, (mz_seen_thread){.most = UINT32_MAX});
    mz_symbolic_text(&one, &first);
    mz_release(one.premises);
    mz_release(one.seen);
    mz_arena_release(&one.strings);
    if (!mz_symbolic_parse(&plan, "p.mzs", mz_text_string(&first), first.length, &error))
        fail_msg("%u: %s in\n%s", error.position.line, mz_text_string(&error.message),
                 mz_text_string(&first));
    assert_string_equal(plan.plans[0].bug, m.plan.bug);
    assert_int_equal(plan.plans[0].prefix, 3);
    assert_int_equal(plan.plans[0].length, 4);
    assert_int_equal(plan.plans[0].event_count, 4);
    assert_int_equal(mz_plan_constraints(&plan.plans[0], 3), 2);
    assert_int_equal(plan.plans[0].events[1].picks, 2);
    assert_int_equal(plan.plans[0].threads[1].ends, 3);
    assert_int_equal(plan.premise_count, 3);
    assert_string_equal(plan.premises[0].name, "a file\n");
    assert_true(plan.premises[0].hash == UINT64_C(0xfedcba9876543210));
    assert_true(plan.premises[1].size == MZ_PREMISE_ABSENT);
    assert_int_equal(plan.waived, 1u << MZ_PREMISE_USER);
    assert_int_equal(plan.seen[0].most, UINT32_MAX);
    mz_symbolic_text(&plan, &second);
    assert_string_equal(mz_text_string(&first), mz_text_string(&second));
    mz_symbolic_release(&plan);
    mz_text_release(&first);
    mz_text_release(&second);
    unmake(&m);
}

/* ---- the image --------------------------------------------------------------------------------------------
 */

static void the_image_is_the_plan(void **state)
{
    (void)state;
    made m;
    make(&m, "<2, x 1, y 1> [ x := 1 y := 1 ] [ x := 2 y := 2 ]", NULL, 0);
    m.plan.events[2].place = mz_plan_add_place(&m.plan, "x+0");
    m.plan.events[3].place = mz_plan_add_place(&m.plan, "y+0");
    m.plan.prefix = 3;
    size_t bytes = mz_plan_image_bytes(&m.plan);
    char *memory = mz_allocate_lines(bytes);
    mz_plan_image_fill(&m.plan, MZ_PLAN_WARNS, memory);
    mz_plan_image_set_places(memory, (const uint64_t[]){0x4010, MZ_PLAN_NO_PLACE});
    const mz_plan_image *image = (const mz_plan_image *)(const void *)memory;
    const mz_plan_thread *threads = (const mz_plan_thread *)(const void *)(memory + image->threads);
    const mz_plan_entry *entries = (const mz_plan_entry *)(const void *)(memory + image->entries);
    const mz_plan_wait *waits = (const mz_plan_wait *)(const void *)(memory + image->waits);
    assert_true(image->magic == MZ_PLAN_IMAGE_MAGIC);
    assert_int_equal(image->bytes, bytes);
    assert_int_equal(image->flags, MZ_PLAN_WARNS);
    assert_int_equal(image->prefix, 3);
    assert_int_equal(image->thread_count, 2);
    assert_int_equal(image->entry_count, 4);
    assert_int_equal(threads[1].first_entry, 2);
    assert_int_equal(threads[1].entry_count, 2);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(entries[i].rank, i);
        assert_int_equal(entries[i].count, i % 2 + 1);
        assert_int_equal(entries[i].kind, MZ_OP_WRITE);
        assert_int_equal(entries[i].wait_count, i >= 2);
        assert_int_equal(entries[i].picks, MZ_PLAN_PICKS_NOBODY);
        assert_true(entries[i].place == (i == 2 ? 0x4010 : MZ_PLAN_NO_PLACE));
    }
    assert_int_equal(waits[entries[3].first_wait].thread, 0);
    assert_int_equal(waits[entries[3].first_wait].count, 2);
    mz_release(memory);
    unmake(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_are_reduced),    cmocka_unit_test(the_prefix_shrinks),
        cmocka_unit_test(a_limit_keeps_the_prefix),   cmocka_unit_test(a_safe_trace_is_put_first),
        cmocka_unit_test(choices_cannot_be_enforced), cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_image_is_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
