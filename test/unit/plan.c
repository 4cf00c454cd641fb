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

/* ---- files ------------------------------------------------------------------------------------------------
 */

#define START "mazurka-plan 1\nimage -\ncounts operations\nfences no\nthread 0.0\n"

#define TWO "mazurka-plan 5\nimage -\ncounts operations\nfences no\ninput x 0 2\ninput y -1 1\n"
#define PLANS                                                                                                \
    "plan 0\nreads x 0\nreads y 0\nprefix 0 of 0\n"                                                          \
    "plan 1\nreads x 0\nreads y 0\nprefix 0 of 3\nend\n"

static const char *reading(const char *text, size_t length)
{
    static char result[300];
    mz_symbolic_plan plan;
    mz_error error = {0};
    bool read = mz_symbolic_parse(&plan, "p.mzs", text, length, &error);
    snprintf(result, sizeof result, "ok");
    if (!read)
        snprintf(result, sizeof result, "%u:%u: %s", error.position.line, error.position.column,
                 mz_text_string(&error.message));
    assert_int_equal(read, !error.set);
    mz_symbolic_release(&plan);
    mz_error_release(&error);
    return result;
}

/* Two plans that agree on their first event, and differ in the second. */
#define LATE(first_reads, second_reads, first_prefix)                                                        \
    "mazurka-plan 5\nimage -\ncounts operations\nfences no\ninput x 0 2\ninput y 0 2\n"                      \
    "guard y <= 1 plan:0 plan:1\nplan 0\nthread 0.0\nends 1 2\nreads " first_reads "\nprefix " first_prefix  \
    " of 3\nevent 0 1 lock - - - | |\nevent 1 1 lock - 0:1 - | |\n"                                          \
    "plan 1\nthread 0.0\nreads " second_reads                                                                \
    "\nprefix 2 of 3\nevent 0 1 lock - - - | |\nevent 0 2 lock - - - | |\nevent 1 2 lock - - - | |\nend\n"

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } files[] = {
        {START "prefix 0 of 0\nend\n", "ok"},
        {START "prefix 1 of 2\nevent 0 3 lock m+0 - - | a.c:4 | lock\nevent 1 1 lock m+0 - - | | lock\nend\n",
         "ok"},
        {"", "1:1: the file is empty"},
        {"mazurka-trace 1\n", "1:1: not a plan: the first line would be 'mazurka-plan 5'"},
        {"mazurka-plan 6\n", "1:1: version 6 of the format is not known here"},
        {START, "5:1: there is no line 'prefix'"},
        {START "prefix 0 of 0\n", "6:1: there is no line 'end': is the file cut off?"},
        {"mazurka-plan 1\nprefix 0 of 0\nend\n", "3:1: there is no line 'image'"},
        {"mazurka-plan 5\nimage -\ncounts operations\nfences no\npremise environment A B 3:00ff\n"
         "premise file /a\\nb absent\npremise processors - 2\npremise clock - -\nseen 0.0 3\nseen 0.0 -\n"
         "waives file\nprefix 0 of 0\nend\n",
         "ok"},
        {START "premise weather - 3\n", "6:9: 'weather' is no kind of premise"},
        {START "premise file\n", "6:13: a premise is KIND NAME VALUE"},
        {START "premise file a 3:xyz\n", "6:16: '3:xyz' is no value of a premise"},
        {START "premise processors - absent\n", "6:22: 'absent' is no value of a premise"},
        {START "waives weather\n", "6:8: 'weather' is no kind of premise"},
        {START "seen 0.0\n", "6:6: a thread that was seen is PARENT.CHILD COUNT"},
        {START "seen 0.0 1\nseen 1.0 1\n", "7:6: a thread that was seen is PARENT.CHILD COUNT"},
        {START "nonsense\n", "6:1: unknown word 'nonsense'"},
        {START "counts operations\n", "6:1: 'counts' is given twice"},
        {"mazurka-plan 1\ncounts sheep\n", "2:8: counts: 'sheep' is neither accesses nor operations"},
        {START "verified 3 2\n", "6:11: share: ' 2' is not a number from 0 to 1"},
        {START "thread 2.0\n", "6:1: parent: '2.0' is not a number from 0 to 1"},
        {START "thread 0\n", "6:9: a thread is PARENT.CHILD"},
        {START "prefix 2 of 1\n", "6:1: length: '1' is not a number from 2"},
        {START "prefix 2 to 3\n", "6:1: a prefix is D of LENGTH"},
        {START "prefix 1 of 1\nend\n", "7:1: the prefix has 1 events, but there are 0"},
        {START "event 0 1 lock - - - | |\n", "6:1: 'prefix' has to stand before the events"},
        {START "prefix 1 of 1\nthread 0.1\n", "7:1: 'thread' has to stand before the prefix"},
        {START "prefix 1 of 1\nevent 2 1 lock - - - | |\n", "7:1: thread: '2' is not a number from 0 to 1"},
        {START "prefix 1 of 1\nevent 0 0 lock - - - | |\n", "7:1: count: '0' is not a number from 1"},
        {START "prefix 1 of 1\nevent 0 1 knock - - - | |\n", "7:11: 'knock' is no kind of operation"},
        {START "prefix 1 of 1\nevent 0 1 lock\n", "7:15: place is missing"},
        {START "prefix 1 of 1\nevent 0 1 lock - -\n", "7:19: picks is missing"},
        {START "prefix 1 of 1\nevent 0 1 lock - - -\nend\n", "ok"},
        {START "prefix 1 of 1\nevent 0 1 lock - - - - | |\n", "7:22: '- | |' is too much here"},
        {START "prefix 1 of 1\nevent 0 1 lock - - - | |\nend\n", "ok"},
        {START "prefix 1 of 1\nevent 0 1 lock m - - | |\nend\n", "8:1: a place is NAME+OFFSET, not 'm'"},
        {START "prefix 1 of 1\nevent 0 1 lock - 1:1 - | |\n",
         "7:18: a wait is for an earlier event of another thread"},
        {START "prefix 1 of 1\nevent 0 1 lock - 0:1 - | |\n",
         "7:18: a wait is for an earlier event of another thread"},
        {START "prefix 2 of 2\nevent 0 1 lock - - - | |\nevent 1 1 lock - 0:2 - | |\n",
         "8:18: a wait is for an earlier event of another thread"},
        {START "prefix 2 of 2\nevent 0 1 lock - - - | |\nevent 1 1 lock - 0:1, - | |\n",
         "8:1: waits: thread: '' is not a number"},
        {START "prefix 2 of 2\nevent 0 1 lock - - - | |\nevent 1 1 lock - 0 - | |\n",
         "8:19: a wait is THREAD:COUNT"},
        {START "prefix 2 of 2\nevent 0 2 lock - - - | |\nevent 0 2 lock - - - | |\n",
         "8:1: the counts of a thread go up"},
        {START "prefix 0 of 2\nevent 0 2 lock - - - | |\nevent 0 3 lock - - - | |\n",
         "8:1: of each thread one event stands after the prefix"},
        {START "prefix 1 of 1\nevent 0 1 signal - - 7 | |\n", "7:1: picks: '7' is not a number"},
        {START "prefix 1 of 1\nevent 0 1 lock - - - | x\n", "7:22: an event has three parts"},
        {START "prefix 0 of 0\nend\nend\n", "8:1: something follows 'end'"},
        {START "ends 1 4\nends 0 0\nprefix 0 of 0\nend\n", "ok"},
        {START "ends 2 4\n", "6:1: ends: thread: '2' is not a number from 0 to 1"},
        {START "ends 1 x\n", "6:1: ends: count: 'x' is not a number"},
        {START "prefix 0 of 0\nends 1 4\n", "7:1: 'ends' has to stand before the prefix"},
        {START
         "rule edges\nevent 0 1 lock - - - | |\nevent 0 4 lock - - - | |\nevent 1 1 lock - 0:4 - | |\nend\n",
         "ok"},
        {START "rule edges\nevent 0 1 any - - - | |\nevent 1 1 lock - 0:1 - | |\nend\n", "ok"},
        {START "prefix 1 of 1\nevent 0 1 any - - - | |\n", "7:11: 'any' is no kind of operation"},
        {START "rule prefixes\nend\n",
         "6:6: rule: 'prefixes' is not known: there are 'edges' and 'iterations'"},
        {START "rule iterations\nend\n", "ok"},
        {START "rule iterations\nevent 0 end boundary - - - | |\nevent 1 1 lock - 0:end - | |\nend\n", "ok"},
        {START "rule iterations\nevent 0 end boundary - - - | |\nevent 1 1 lock - 0:ends - | |\nend\n",
         "8:23: 's' is too much here"},
        {START "rule iterations\nevent 1 1 lock - 0:end - | |\n",
         "7:18: a wait is for an earlier event of another thread"},
        {START "rule edges\nevent 0 end lock - - - | |\n", "7:1: count: 'end' is not a number"},
        {START "rule edges\nprefix 0 of 0\nend\n", "7:1: there is a prefix or a rule, not both"},
        {START "prefix 0 of 0\nrule edges\nend\n", "7:1: there is a prefix or a rule, not both"},
        {START "rule edges\nevent 1 1 lock - 0:4 - | |\n",
         "7:18: a wait is for an earlier event of another thread"},
        /* several plans */
        {"mazurka-plan 3\nimage -\ninput x 0 2\n",
         "3:1: this plan was made by an earlier version, which did not count inputs"},
        {TWO "guard x == y plan:0 plan:1\n" PLANS, "ok"},
        {TWO "guard x <= 2 plan:0 guard:1\nguard y < x plan:1 plan:0\n" PLANS, "ok"},
        {TWO PLANS, "15:1: nothing leads to plan 1"},
        {TWO "guard x == y plan:0 plan:0\n" PLANS, "16:1: nothing leads to plan 1"},
        {TWO "guard x == y plan:0 plan:2\n" PLANS, "16:1: a guard leads to plan 2, which is not there"},
        {TWO "guard x == y plan:0 guard:1\n" PLANS, "16:1: a guard leads to guard 1, which is not there"},
        {TWO "guard x == y plan:0 guard:0\n", "7:1: plan or later guard: '0' is not a number from 1 to 4095"},
        {TWO "guard x == y guard:1 guard:1\nguard x == 1 plan:0 plan:1\n" PLANS,
         "17:1: more than one guard leads to guard 1"},
        {TWO "guard x == y plan:0 plan:1\nguard x == 1 plan:0 plan:1\n" PLANS,
         "17:1: nothing leads to guard 1"},
        {TWO "guard x == z plan:0 plan:1\n", "7:12: there is no input 'z'"},
        {TWO "guard x >= y plan:0 plan:1\n", "7:9: '>=' is none of ==, < and <="},
        {TWO "guard x == 1x plan:0 plan:1\n", "7:12: the right side: '1x' is not a number"},
        {TWO "guard x == 1 plan:0\n", "7:20: what follows if it fails is missing"},
        {TWO "guard x == 1 plan:0 plan:1 plan:2\n", "7:1: 'plan:2' is too much here"},
        {TWO "guard x == 1 plan:0 go:1\n", "7:21: what follows a guard is plan:N or guard:N, not 'go:1'"},
        {TWO "input x 0 1\n", "7:7: the input 'x' is given twice"},
        {TWO "input 1x 0 1\n", "7:7: '1x' is no name of an input"},
        {TWO "input z 2 1\n", "7:1: the greatest value: '1' is not a number from 2"},
        {TWO "plan 1\n", "7:1: plan 0 comes next"},
        {TWO "plan 0\nplan 1\n", "8:1: a plan begins, but the one before has no prefix"},
        {TWO "prefix 0 of 0\nplan 1\n", "8:1: a plan begins, but the one before has no number"},
        {TWO "plan 0\nprefix 0 of 0\ninput z 0 1\n", "9:1: 'input' has to stand before the plans"},
        {TWO "plan 0\nprefix 1 of 1\nplan 1\nprefix 0 of 0\nend\n",
         "9:1: the prefix has 1 events, but there are 0"},
        {TWO "nondet 1 0\n", "7:1: the greatest value: '0' is not a number from 1"},
        /* inputs that are read on the way */
        {LATE("y 1", "y 1", "2"), "ok"},
        {LATE("y 1", "y 1", "1"), "ok"},
        {LATE("y 2", "y 1", "2"), "22:1: guard 0 asks for what plan 0 does not read in the 1 events"},
        {LATE("x 0", "y 1", "2"), "22:1: guard 0 asks for what plan 0 does not read in the 1 events"},
        {LATE("z 1", "y 1", "2"), "11:7: there is no input 'z'"},
        {LATE("y z", "y 1", "2"), "11:1: rank: 'z' is not a number"},
        {LATE("y 1 1", "y 1", "2"), "11:1: '1' is too much here"},
        {LATE("y 1 | a b.c:7", "y 1", "2"), "ok"},
    };
    for (size_t i = 0; i < LENGTH(files); i++) {
        const char *got = reading(files[i].text, strlen(files[i].text));
        if (strncmp(got, files[i].says, strlen(files[i].says)) != 0)
            fail_msg("file %zu:\n%s\nexpected: %s\ngot: %s", i, files[i].text, files[i].says, got);
    }
}

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

static void guards_are_written_and_read(void **state)
{
    (void)state;
    static const char text[] = TWO "guard x <= -3 plan:0 guard:1\nguard y < x plan:1 plan:0\n" PLANS;
    mz_text first = {0}, second = {0}, condition = {0};
    mz_error error = {0};
    mz_symbolic_plan plan, again;
    assert_true(mz_symbolic_parse(&plan, "p.mzs", text, strlen(text), &error));
    assert_int_equal(plan.guard_count, 2);
    assert_int_equal(plan.guards[0].constant, -3);
    assert_int_equal(plan.guards[0].right, MZ_GUARD_CONSTANT);
    assert_int_equal(plan.guards[1].left, 1);
    assert_int_equal(plan.guards[1].right, 0);
    assert_int_equal(plan.guards[1].holds, MZ_GUARD_PLAN | 1);
    assert_int_equal(plan.inputs[1].low, -1);
    mz_symbolic_condition(&plan, 1, &condition);
    assert_string_equal(mz_text_string(&condition), "y < x");
    mz_symbolic_text(&plan, &first);
    assert_true(mz_symbolic_parse(&again, "p.mzs", mz_text_string(&first), first.length, &error));
    mz_symbolic_text(&again, &second);
    assert_string_equal(mz_text_string(&first), mz_text_string(&second));
    mz_symbolic_release(&plan);
    mz_symbolic_release(&again);
    mz_text_release(&first);
    mz_text_release(&second);
    mz_text_release(&condition);
}

/* x is read after the first event, y after the second. */
#define READING(number, last)                                                                                \
    "plan " number                                                                                           \
    "\nthread 0.0\nthread 0.1\nreads x 1\nreads y 2\nprefix 4 of 4\nevent 1 1 write a+0 - -\n"               \
    "event 2 1 write a+0 1:1 -\nevent 1 " last " write a+0 2:1 -\nevent 2 2 write a+0 1:" last " -\n"
#define READING_THREE                                                                                        \
    TWO "guard y == 0 guard:1 plan:2\nguard x == 0 plan:0 plan:1\n" READING("0", "2") READING("1", "2")      \
        READING("2", "3") "end\n"

/* The plan when its prefixes have become so short: it can be written and read, and is the same then. */
static void settles(const uint32_t *prefixes, const uint32_t *expected, size_t plans, size_t guards)
{
    mz_text first = {0}, second = {0};
    mz_error error = {0};
    mz_symbolic_plan plan, again;
    assert_true(mz_symbolic_parse(&plan, "p.mzs", READING_THREE, strlen(READING_THREE), &error));
    for (size_t i = 0; i < plan.plan_count; i++)
        plan.plans[i].prefix = prefixes[i];
    mz_symbolic_settle(&plan);
    assert_int_equal(plan.plan_count, plans);
    assert_int_equal(plan.guard_count, guards);
    for (size_t i = 0; i < plans; i++)
        assert_int_equal(plan.plans[i].prefix, expected[i]);
    mz_symbolic_text(&plan, &first);
    if (!mz_symbolic_parse(&again, "p.mzs", mz_text_string(&first), first.length, &error))
        fail_msg("%s in\n%s", mz_text_string(&error.message), mz_text_string(&first));
    mz_symbolic_text(&again, &second);
    assert_string_equal(mz_text_string(&first), mz_text_string(&second));
    mz_symbolic_release(&plan);
    mz_symbolic_release(&again);
    mz_text_release(&first);
    mz_text_release(&second);
}

/* Guards ask for what is read in the events that are left. */
static void shorter_prefixes_settle(void **state)
{
    (void)state;
    settles((uint32_t[]){4, 4, 4}, (uint32_t[]){4, 4}, 2, 1); /* the first two are the same */
    settles((uint32_t[]){3, 1, 4}, (uint32_t[]){3, 4}, 2, 1);
    settles((uint32_t[]){1, 1, 1}, (uint32_t[]){2, 2}, 2, 1); /* y is read after two events */
    settles((uint32_t[]){0, 0, 4}, (uint32_t[]){2, 4}, 2, 1);
    settles((uint32_t[]){0, 3, 4}, (uint32_t[]){2, 3, 4}, 3, 2);
    settles((uint32_t[]){4, 4, 0}, (uint32_t[]){4, 2}, 2, 1);
    settles((uint32_t[]){0, 0, 0}, (uint32_t[]){0}, 1, 0);
}

/* What all plans have in common that are still possible, and where threads have to wait for more. */
static void an_image_has_stages(void **state)
{
    (void)state;
    static const char text[] = LATE("y 1 | a.c:7", "y 1", "2");
    mz_error error = {0};
    mz_symbolic_plan plan;
    assert_true(mz_symbolic_parse(&plan, "p.mzs", text, strlen(text), &error));
    assert_int_equal(plan.plans[0].reads[0].rank, 1);
    assert_string_equal(plan.plans[0].reads[0].file, "a.c");
    assert_int_equal(plan.plans[0].reads[0].line, 7);
    char *memory = mz_allocate_zeroed(1, mz_symbolic_image_bytes(&plan));
    mz_symbolic_image_fill(&plan, 0, NULL, NULL, memory);
    const mz_symbolic_image *image = (const mz_symbolic_image *)(const void *)memory;
    const mz_stage *stage = (const mz_stage *)(const void *)(memory + image->stages);
    const uint32_t *stops = (const uint32_t *)(const void *)(memory + stage->stops);
    assert_int_equal(image->thread_count, 2);
    assert_int_equal(stage->common, 1);
    assert_int_equal(stops[0], 2); /* as plan 1 has it */
    assert_int_equal(stops[1], 1); /* as plan 0 has it, which is earlier than plan 1 */
    mz_release(memory);
    mz_symbolic_release(&plan);
}

/* A set takes the place that was reserved for it: behind the plan, which stays as it is. */
static void a_set_has_room(void **state)
{
    (void)state;
    static const char head[] = "mazurka-plan 2\nimage -\ncounts operations\nfences no\nverified 1 0.5\n";
    static const char events[] = "event 1 1 lock - - - | |\nevent 1 2 unlock - - - | |\n"
                                 "event 2 1 lock - 1:2 - | |\nend\n";
    mz_error error = {0};
    mz_text texts[2] = {{0}, {0}};
    mz_symbolic_plan plans[2];
    for (int i = 0; i < 2; i++) {
        mz_text_add(&texts[i], "%sthread 0.0\nthread 0.1\n%s\n%s", head, i ? "rule edges" : "prefix 3 of 3",
                    events);
        assert_true(
            mz_symbolic_parse(&plans[i], "p.mzs", mz_text_string(&texts[i]), texts[i].length, &error));
    }
    size_t bytes = mz_symbolic_image_bytes(&plans[0]), room = mz_symbolic_set_room(&plans[0]);
    assert_int_equal(mz_symbolic_set_room(&plans[1]), 0);
    char *memory = mz_allocate_zeroed(1, bytes + room);
    mz_symbolic_image *image = (mz_symbolic_image *)(void *)memory;
    mz_symbolic_image_fill(&plans[0], 0, NULL, NULL, memory);
    mz_symbolic_image_add_set(&plans[1], 0, NULL, NULL, memory);
    assert_int_equal(image->has_set, 0); /* nothing is reserved */
    mz_symbolic_image_reserve(memory, room);
    mz_symbolic_image_add_set(&plans[0], 0, NULL, NULL, memory);
    assert_int_equal(image->has_set, 0); /* it is none */
    mz_symbolic_image_add_set(&plans[1], 0, NULL, NULL, memory);
    assert_int_equal(image->has_set, 1);
    const mz_plan_image *set = mz_symbolic_image_plan(memory, 1);
    assert_ptr_equal(set, memory + bytes);
    assert_int_equal(set->magic, MZ_PLAN_IMAGE_MAGIC);
    assert_true((set->flags & MZ_PLAN_EDGES_ONLY) && set->bytes <= room);
    assert_false(mz_symbolic_image_plan(memory, 0)->flags & MZ_PLAN_EDGES_ONLY);
    mz_release(memory);
    for (int i = 0; i < 2; i++) {
        mz_symbolic_release(&plans[i]);
        mz_text_release(&texts[i]);
    }
}

static void an_image_decides(void **state)
{
    (void)state;
    static const char text[] = TWO "guard x <= 0 plan:0 guard:1\nguard y < x plan:1 plan:0\n" PLANS;
    mz_error error = {0};
    mz_symbolic_plan plan;
    assert_true(mz_symbolic_parse(&plan, "p.mzs", text, strlen(text), &error));
    char *memory = mz_allocate_zeroed(1, mz_symbolic_image_bytes(&plan));
    mz_symbolic_image_fill(&plan, 0, NULL, NULL, memory);
    const mz_symbolic_image *image = (const mz_symbolic_image *)(const void *)memory;
    const mz_symbolic_input *inputs = (const mz_symbolic_input *)(const void *)(memory + image->inputs);
    const mz_guard *guards = (const mz_guard *)(const void *)(memory + image->guards);
    assert_int_equal(image->plan_count, 2);
    assert_string_equal(memory + inputs[1].name, "y");
    assert_int_equal(mz_symbolic_image_plan(memory, 1)->magic, MZ_PLAN_IMAGE_MAGIC);
    mz_valuation v = {.known = 0};
    assert_int_equal(mz_guard_decide(guards, 0, &v), 0);
    v = (mz_valuation){.known = 1, .values = {2}};
    assert_int_equal(mz_guard_decide(guards, 0, &v), 1);
    v = (mz_valuation){.known = 3, .values = {2, 1}};
    assert_int_equal(mz_guard_decide(guards, 1, &v), MZ_GUARD_PLAN | 1);
    v = (mz_valuation){.known = 1, .values = {0}};
    assert_int_equal(mz_guard_decide(guards, 0, &v), MZ_GUARD_PLAN);
    mz_release(memory);
    mz_symbolic_release(&plan);
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
    char *memory = mz_allocate_zeroed(1, bytes);
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
        cmocka_unit_test(constraints_are_reduced),
        cmocka_unit_test(the_prefix_shrinks),
        cmocka_unit_test(a_limit_keeps_the_prefix),
        cmocka_unit_test(a_safe_trace_is_put_first),
        cmocka_unit_test(choices_cannot_be_enforced),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_image_is_the_plan),
        cmocka_unit_test(guards_are_written_and_read),
        cmocka_unit_test(shorter_prefixes_settle),
        cmocka_unit_test(an_image_has_stages),
        cmocka_unit_test(an_image_decides),
        cmocka_unit_test(a_set_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
