/* Symbolic plans: files with guards and inputs, mistakes in them, and their images. */
#include "safe/plan/symbolic.h"

#include "models.h"

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

/* What a way through the tree says only because it comes past another one is not told. */
static void conditions_are_short(void **state)
{
    (void)state;
    static const struct {
        const char *guards, *applies, *otherwise;
    } trees[] = {
        {"guard x == y plan:1 guard:1\nguard x <= 1 plan:1 plan:0\n", "x == y or x <= 1",
         "x != y and x == 2"},
        {"guard x == y guard:1 guard:2\nguard x <= 1 plan:1 plan:0\nguard x <= 1 plan:1 plan:0\n", "x <= 1",
         "x == 2"},
        {"guard x == y guard:1 plan:0\nguard x <= 1 plan:1 plan:0\n", "x == y and x <= 1",
         "x == 2 or x != y"},
    };
    for (size_t i = 0; i < LENGTH(trees); i++) {
        mz_text text = {0}, applies = {0}, otherwise = {0};
        mz_error error = {0};
        mz_symbolic_plan plan;
        mz_text_add(&text, TWO "%s" PLANS, trees[i].guards);
        assert_true(mz_symbolic_parse(&plan, "p.mzs", mz_text_string(&text), text.length, &error));
        mz_symbolic_condition(&plan, 1, &applies);
        mz_symbolic_condition(&plan, 0, &otherwise);
        assert_string_equal(mz_text_string(&applies), trees[i].applies);
        assert_string_equal(mz_text_string(&otherwise), trees[i].otherwise);
        mz_symbolic_release(&plan);
        mz_text_release(&text);
        mz_text_release(&applies);
        mz_text_release(&otherwise);
    }
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
    char *memory = mz_allocate_lines(mz_symbolic_image_bytes(&plan));
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
    char *memory = mz_allocate_lines(bytes + room);
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
    char *memory = mz_allocate_lines(mz_symbolic_image_bytes(&plan));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_said), cmocka_unit_test(guards_are_written_and_read),
        cmocka_unit_test(conditions_are_short),  cmocka_unit_test(shorter_prefixes_settle),
        cmocka_unit_test(an_image_has_stages),   cmocka_unit_test(an_image_decides),
        cmocka_unit_test(a_set_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
