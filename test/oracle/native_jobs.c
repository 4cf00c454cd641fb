/* The jobs of the oracle for real programs: each loads one program, in a process of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "machine/identity.h"
#include "oracle/generate_c.h"
#include "oracle/native_jobs.h"
#include "oracle/order.h"
#include "oracle/reference.h"
#include "oracle/section_classes.h"
#include "program/program.h"

struct oracle_shared *oracle_shared;

enum { EVENT_LIMIT = 60000, BRUTE_LIMIT = 100000, LEVELS = 3 };
/* Of one job: a thread that allocates for ever is left when this is full. */
#define MEMORY_LIMIT (UINT64_C(1) << 28)
/* Seconds: local work of the programs is some microseconds; what is endless need not be followed for long. */
#define PATIENCE 0.5

typedef struct visits {
    string_set traces, errors, observations;
    uint64_t repeated, observed_again, blocked;
    /* Of `full`: the traces of the executions with at most so many preemptions, and delays. */
    string_set levels[LEVELS], delayed[LEVELS];
    bool finished;
    const char *reason;
    bool of_observations; /* for algorithms that explore those: what main does when it is alone are events */
    bool *ordered;        /* [location] for observations: some operation waits for it */
    string_set *classes;  /* of lock-aware equivalence, by definition; NULL: not asked */
    bool is_finer;        /* traces had to be explored instead of observations */
    mz_text *order;       /* what is wrong with the order that is relied upon; NULL: not asked */
} visits;

enum { MOST_LOCATIONS = 4096 };

/* What the reads read from, as text: equal exactly for equivalent executions. */
static void write_observation(const mz_execution *x, const visits *v, mz_text *out)
{
    for (size_t i = 0; i < x->initial_choices; i++)
        mz_text_add(out, "!%lld ", (long long)x->choices[i].value);
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++) {
        mz_text_add(out, "%u:", thread);
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            const mz_event *event = &x->events[mz_position_of(x, thread, index)];
            mz_text_add(out, " (");
            for (uint32_t i = 0; i < event->access_count; i++) {
                const mz_access_record *record = &x->records[event->first_access + i];
                mz_text_add(out, " %u.%u", record->access.location, record->access.kind);
                bool ordered = v->ordered[record->access.location];
                if (!ordered && !(record->access.kind & MZ_READ))
                    continue;
                const mz_event *writer = record->previous_write == MZ_NONE
                                             ? NULL
                                             : &x->events[x->records[record->previous_write].event];
                mz_text_add(out, "<%u.%u", writer ? writer->thread : 0, writer ? writer->index : 0);
            }
            for (uint32_t i = 0; i < event->choice_count; i++)
                mz_text_add(out, " !%lld", (long long)x->choices[event->first_choice + i].value);
            mz_text_add(out, ")");
        }
        mz_text_add(out, "\n");
    }
}

static void note_waiting(visits *v, bool blocking, const mz_access *accesses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (blocking || (accesses[i].kind & MZ_LAST))
            v->ordered[accesses[i].location] = true;
}

/* What is waited for after the first `depth` events? */
static void note_pending(visits *v, mz_search *search, size_t depth)
{
    mz_machine *machine = search->machine;
    mz_search_return_to(search, depth);
    MZ_FOR_EACH_THREAD(thread, machine->status->ready | machine->status->blocked)
    {
        mz_operation pending;
        machine->class->pending(machine, thread, &pending);
        note_waiting(v, pending.blocking, pending.accesses, pending.access_count);
    }
}

/* Is what is there looked at in the end? */
static bool matters_at_end(const mz_search *search, uint32_t location)
{
    const mz_machine *machine = search->machine;
    return (search->options.checks & 1u << MZ_FAIL_LEAK) && machine->class->matters_at_end(machine, location);
}

/* The first time round: what is waited for? */
static void look_for_waiting(void *context, mz_search *search, mz_leaf leaf)
{
    (void)leaf;
    visits *v = context;
    const mz_execution *x = search->execution;
    for (size_t i = 0; i < x->record_count; i++) {
        const mz_access *access = &x->records[i].access;
        bool blocking = x->events[x->records[i].event].blocking;
        note_waiting(v, blocking || matters_at_end(search, access->location), access, 1);
    }
    for (size_t depth = 0; search->machine->complex_blocking && depth < x->length; depth++)
        note_pending(v, search, depth); /* it may be something else when it goes on */
    note_pending(v, search, x->length);
}

/* What the execution costs. */
static uint32_t cost_of(const mz_search *search, reference_cost *cost)
{
    const mz_execution *x = search->execution;
    uint32_t sum = 0;
    for (size_t i = 0; i < x->length; i++)
        sum +=
            cost(search->nodes[i].enabled, i > 0, i > 0 ? x->events[i - 1].thread : 0, x->events[i].thread);
    return sum;
}

static void observe(void *context, mz_search *search, mz_leaf leaf)
{
    visits *v = context;
    if (leaf == MZ_LEAF_BLOCKED || leaf == MZ_LEAF_PRUNED || leaf == MZ_LEAF_VISITED)
        return;
    mz_text identity = {0};
    mz_identity_write(search->execution, &identity);
    bool is_new = string_set_add(&v->traces, mz_text_string(&identity), identity.length);
    v->repeated += !is_new;
    for (uint32_t level = cost_of(search, reference_preemptions); level < LEVELS; level++)
        string_set_add(&v->levels[level], mz_text_string(&identity), identity.length);
    for (uint32_t level = cost_of(search, reference_delays); level < LEVELS; level++)
        string_set_add(&v->delayed[level], mz_text_string(&identity), identity.length);
    mz_text_clear(&identity);
    write_observation(search->execution, v, &identity);
    v->observed_again += !string_set_add(&v->observations, mz_text_string(&identity), identity.length);
    mz_text_clear(&identity);
    if (v->classes) {
        section_classes_write(search->execution, &identity);
        string_set_add(v->classes, mz_text_string(&identity), identity.length);
    }
    mz_text_release(&identity);
    if (is_new && v->order)
        order_check(search, v->of_observations ? v->ordered : NULL, v->order);
}

static void note_error(visits *v, const mz_failure *failure)
{
    mz_text name = {0};
    if (strstr(mz_text_string(&failure->message), "outcome ")) {
        mz_text_add(&name, "%s", mz_text_string(&failure->message));
        string_set_add(&v->errors, mz_text_string(&name), name.length);
        mz_text_release(&name);
        return;
    }
    bool stuck = failure->kind == MZ_FAIL_DEADLOCK || failure->kind == MZ_FAIL_LIVELOCK ||
                 failure->kind == MZ_FAIL_RACE; /* whoever comes second has it */
    mz_text_add(&name, "%s", mz_failure_name(failure->kind));
    if (!stuck)
        mz_text_add(&name, " at line %u of thread %u", failure->position.line, failure->thread);
    string_set_add(&v->errors, mz_text_string(&name), name.length);
    mz_text_release(&name);
}

/* Runs until the machine has learned nothing new. False if it has: what was compared with is out of date. */
static bool explore(mz_machine *machine, const mz_algorithm *algorithm, mz_search_options options,
                    void (*look)(void *, mz_search *, mz_leaf), visits *v)
{
    mz_search search;
    options.all_errors = options.repeats_nothing = true;
    bool begins_again = v->of_observations || algorithm->in_levels;
    options.limits.events = v->classes ? BRUTE_LIMIT : begins_again ? 4 * EVENT_LIMIT : EVENT_LIMIT;
    options.limits.depth = 2000;
    mz_search_init(&search, machine, &options);
    search.observe = look;
    search.observe_context = v;
    mz_relation relation = machine->relation;
    machine->by_observation = v->of_observations;
    machine->relation |= options.relation;
    if (v->of_observations)
        machine->relation &= ~(mz_relation)MZ_REFINES_LOCKS;
    algorithm->run(&search);
    machine->by_observation = false; /* as it was */
    machine->relation = relation;
    const char *reason = mz_text_string(&search.reason);
    bool bound = strstr(reason, "--preemptions") || strstr(reason, "--delays");
    bool cut = search.unasked.count > 0 && !strstr(reason, "limit of"); /* threads only, and nothing else */
    v->finished = (!search.incomplete || bound || cut) && !search.begin_again;
    v->is_finer = search.is_finer;
    v->blocked = search.statistics.blocked - search.statistics.in_vain;
    v->reason = search.internal_error ? "a counterexample does not replay"
                                      : mz_copy_string(mz_text_string(&search.reason));
    for (size_t i = 0; i < search.problem_count; i++)
        note_error(v, &search.problems[i].failure);
    bool again = search.begin_again;
    mz_search_release(&search);
    return !again;
}

static void release(visits *v)
{
    string_set_release(&v->traces);
    string_set_release(&v->errors);
    string_set_release(&v->observations);
    for (uint32_t level = 0; level < LEVELS; level++) {
        string_set_release(&v->levels[level]);
        string_set_release(&v->delayed[level]);
    }
    *v = (visits){.of_observations = v->of_observations,
                  .ordered = v->ordered,
                  .order = v->order,
                  .classes = v->classes};
}

static size_t missing(const string_set *from, const string_set *in, const char *label, mz_text *out)
{
    size_t count = 0;
    for (size_t i = 0; i < from->capacity; i++)
        if (from->strings[i] && !string_set_has(in, from->strings[i], from->lengths[i])) {
            if (count++ == 0 && label)
                mz_text_add(out, "  %s: %.*s\n", label, (int)from->lengths[i], from->strings[i]);
        }
    return count;
}

static void compare(const mz_algorithm *algorithm, const visits *reference, const visits *v, bool once,
                    mz_text *out)
{
    const char *name = algorithm->name;
    if (!v->finished) {
        if (once)
            mz_text_add(out, " %s: not finished: %s\n", name, v->reason);
        return;
    }
    bool observations = algorithm->equivalence == MZ_OBSERVATION;
    size_t missed = observations ? missing(&reference->observations, &v->observations, "missed", out)
                                 : missing(&reference->traces, &v->traces, "missed", out);
    size_t extra = missing(&v->traces, &reference->traces, NULL, out);
    if (missed)
        mz_text_add(out, " %s: %zu of %zu %s missed\n", name, missed,
                    observations ? reference->observations.count : reference->traces.count,
                    observations ? "observations" : "traces");
    if (observations && v->observed_again && !v->is_finer && !algorithm->only_on_trees)
        mz_text_add(out, " %s: %llu observations visited again\n", name,
                    (unsigned long long)v->observed_again);
    if (extra)
        mz_text_add(out, " %s: %zu traces that do not exist\n", name, extra);
    if (once && v->repeated)
        mz_text_add(out, " %s: %llu traces visited again\n", name, (unsigned long long)v->repeated);
    if (missing(&reference->errors, &v->errors, "error not found", out))
        mz_text_add(out, " %s: errors not found\n", name);
    if (missing(&v->errors, &reference->errors, "error that does not exist", out))
        mz_text_add(out, " %s: errors that do not exist\n", name);
}

/* The reference for observations. They depend on what is waited for, which all interleavings tell. */
static bool explore_observations(mz_machine *machine, uint32_t checks, visits *v)
{
    if (!explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks}, look_for_waiting, v))
        return false;
    release(v);
    return explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks}, observe, v);
}

static bool compare_level(mz_machine *machine, const mz_algorithm *algorithm, mz_search_options options,
                          const string_set *level, bool *ordered, mz_text *out)
{
    visits v = {.ordered = ordered};
    bool settled = explore(machine, algorithm, options, observe, &v);
    size_t missed = missing(level, &v.traces, "missed", out), extra = missing(&v.traces, level, NULL, out);
    if (settled && (!v.finished || missed || extra || v.repeated))
        mz_text_add(out, " %s, level %u: %zu of %zu traces missed, %zu too many, %llu again %s\n",
                    algorithm->name, options.preemptions, missed, level->count, extra,
                    (unsigned long long)v.repeated, v.reason);
    release(&v);
    return settled;
}

/* Each level must visit exactly the traces that `full` has met in an execution that costs so little. */
static bool compare_levels(mz_machine *machine, uint32_t checks, const visits *reference, mz_text *out)
{
    bool settled = true;
    for (uint32_t level = 0; settled && level < LEVELS; level++) {
        mz_search_options options = {.checks = checks,
                                     .bounds_preemptions = true,
                                     .preemptions = level,
                                     .bounds_delays = true,
                                     .delays = level};
        settled = compare_level(machine, &mz_algorithm_bounded, options, &reference->levels[level],
                                reference->ordered, out) &&
                  compare_level(machine, &mz_algorithm_delays, options, &reference->delayed[level],
                                reference->ordered, out);
    }
    return settled;
}

/* The same searches in parts. */
static bool compare_parts(mz_machine *machine, uint32_t checks, uint64_t seed, parts_tally *tally,
                          mz_text *out)
{
    bool settled = true;
    mz_search_options options = {
        .checks = checks, .all_errors = true, .repeats_nothing = true, .limits.depth = 2000};
    for (size_t i = 0; settled && i < mz_algorithm_count; i++) {
        options.sleep_sets = options.bounds_preemptions = options.bounds_delays = seed & 1;
        options.preemptions = options.delays = 1;
        if (!mz_algorithms[i]->in_one_piece)
            settled = parts_try(machine, mz_algorithms[i], &options, seed + i, tally, out);
    }
    return settled;
}

static mz_machine *load(const task *the, mz_text *out)
{
    mz_error error = {0};
    static char name[] = "program";
    static char *arguments[3] = {name};
    arguments[1] = the->argument;
    mz_native_options options = {.library = the->library,
                                 .memory = MEMORY_LIMIT,
                                 .patience = PATIENCE,
                                 .argument_count = the->argument ? 2 : 1,
                                 .arguments = arguments,
                                 .checks = the->checks,
                                 .races = the->checks & (1u << MZ_FAIL_RACE) ? MZ_RACES_ARE_ERRORS
                                                                             : MZ_RACES_ARE_IGNORED,
                                 .plain_accesses = the->job == BRUTE ? MZ_PLAIN_IS_EVENT : MZ_PLAIN_IS_LOCAL,
                                 .all_errors = true,
                                 .spurious = the->spurious,
                                 .reuses = the->reuses,
                                 .nondet_high = 1};
    mz_machine *machine = mz_native_create(&options, &error);
    if (machine)
        machine->relation = the->job == BRUTE ? MZ_RELATION_PUBLISHED : the->relation & MZ_REFINES_LOCKS;
    if (!machine)
        mz_text_add(out, " cannot be loaded: %s\n", mz_text_string(&error.message));
    else if (the->job == BRUTE)
        mz_native_set_knowledge(machine, "all");
    else if (the->job == ORDER)
        mz_native_keep_order(machine);
    return machine;
}

/* The errors, one per line. */
static int find_by_brute_force(const task *the, mz_text *out)
{
    mz_machine *machine = load(the, out);
    static bool ordered[MOST_LOCATIONS];
    string_set classes = {0};
    visits v = {.ordered = ordered, .classes = &classes};
    if (!machine)
        return DISAGREE;
    do {
        release(&v);
        string_set_release(&classes);
        mz_native_prepare(machine);
    } while (!explore(machine, &mz_algorithm_full, (mz_search_options){.checks = the->checks}, observe, &v));
    oracle_shared->classes = v.finished ? classes.count : 0;
    for (size_t i = 0; v.finished && i < v.errors.capacity; i++)
        if (v.errors.strings[i])
            mz_text_add(out, "%.*s\n", (int)v.errors.lengths[i], v.errors.strings[i]);
    return v.finished ? AGREE : TOO_LARGE;
}

static int check_order(const task *the, mz_text *out)
{
    mz_machine *machine = load(the, out);
    static bool ordered[MOST_LOCATIONS];
    visits traces = {.ordered = ordered, .order = out};
    visits observations = {.ordered = ordered, .order = out, .of_observations = true};
    for (bool settled = false; machine && !settled;) {
        mz_text_clear(out);
        release(&traces);
        release(&observations);
        memset(ordered, 0, sizeof ordered);
        mz_native_prepare(machine);
        mz_search_options options = {.checks = the->checks};
        settled = explore(machine, &mz_algorithm_full, options, observe, &traces) &&
                  explore_observations(machine, the->checks, &observations);
        options.relation = MZ_REFINES_CLASSES;
        release(&traces);
        settled = settled && explore(machine, &mz_algorithm_full, options, observe, &traces);
    }
    return out->length > 0 ? DISAGREE : AGREE;
}

/* Is there a data race that is an error, told as such or as an access to what is gone by then? Then not
 * everything is explored any more. */
static bool has_race(const string_set *errors)
{
    const char *kinds[] = {mz_failure_name(MZ_FAIL_RACE), mz_failure_name(MZ_FAIL_MEMORY)};
    for (size_t i = 0; i < errors->capacity; i++)
        for (size_t k = 0; errors->strings[i] && k < 2; k++)
            if (strncmp(errors->strings[i], kinds[k], strlen(kinds[k])) == 0)
                return true;
    return false;
}

static void compare_brute(const string_set *brute, const visits *reference, uint32_t checks, mz_text *out)
{
    bool races = checks & (1u << MZ_FAIL_RACE);
    if (races && brute && has_race(brute) && has_race(&reference->errors))
        return;
    if (brute && missing(brute, &reference->errors, "error not found", out))
        mz_text_add(out, " full: errors not found that brute force finds\n");
    if (brute && missing(&reference->errors, brute, "error that does not exist", out))
        mz_text_add(out, " full: errors that brute force does not find\n");
}

static const struct {
    const mz_algorithm *algorithm;
    bool sleep, once;
} ways[] = {{&mz_algorithm_source, false, true}, {&mz_algorithm_optimal, false, true},
            {&mz_algorithm_eager, false, true},  {&mz_algorithm_eager_short, false, true},
            {&mz_algorithm_dpor, true, true},    {&mz_algorithm_dpor, false, false},
            {&mz_algorithm_lazy, false, false},  {&mz_algorithm_dc, false, true},
            {&mz_algorithm_rf, false, true},     {&mz_algorithm_bounded, false, true},
            {&mz_algorithm_delays, false, true}};

/* The refined relation has no more traces, and the same errors; and who follows it visits exactly these. */
static bool compare_refined(mz_machine *machine, uint32_t checks, const visits *published, mz_text *out)
{
    visits reference = {.ordered = published->ordered}, v = {.ordered = published->ordered};
    mz_search_options options = {.checks = checks, .relation = MZ_REFINES_CLASSES};
    machine->refined = MZ_RELATION_PUBLISHED;
    bool settled = explore(machine, &mz_algorithm_full, options, observe, &reference);
    bool both_race = has_race(&published->errors) && has_race(&reference.errors);
    if (settled && reference.traces.count > published->traces.count)
        mz_text_add(out, " refined: %zu traces instead of %zu\n", reference.traces.count,
                    published->traces.count);
    if (settled && reference.finished && !both_race) {
        if (missing(&published->errors, &reference.errors, "error not found", out))
            mz_text_add(out, " refined: errors not found\n");
        if (missing(&reference.errors, &published->errors, "error that does not exist", out))
            mz_text_add(out, " refined: errors that do not exist\n");
    }
    for (size_t i = 0; settled && machine->refined && i < sizeof ways / sizeof *ways; i++) {
        if (!(ways[i].algorithm->refinements & MZ_REFINES_CLASSES))
            continue;
        release(&v);
        options.sleep_sets = ways[i].sleep;
        settled = explore(machine, ways[i].algorithm, options, observe, &v);
        mz_text wrong = {0};
        if (settled && reference.finished)
            compare(ways[i].algorithm, &reference, &v, ways[i].once, &wrong);
        if (wrong.length > 0)
            mz_text_add(out, " with classes:\n%s", mz_text_string(&wrong));
        mz_text_release(&wrong);
    }
    release(&reference);
    release(&v);
    return settled;
}

static int check(const task *the, mz_text *out)
{
    uint32_t checks = the->checks;
    mz_machine *machine = load(the, out);
    if (!machine)
        return DISAGREE;
    static bool ordered[MOST_LOCATIONS];
    visits reference = {.ordered = ordered}, v = {.ordered = ordered};
    visits observations = {.ordered = ordered, .of_observations = true};
    plan_tally plans = {0};
    parts_tally parts = {0};
    for (bool settled = false; !settled;) {
        mz_text_clear(out);
        release(&reference);
        release(&observations);
        memset(ordered, 0, sizeof ordered);
        machine->relation = the->relation;
        mz_native_prepare(machine);
        settled = explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks}, observe,
                          &reference) &&
                  explore_observations(machine, checks, &observations);
        if (settled && reference.finished && !observations.finished)
            return TOO_LARGE;
        if (settled && !reference.finished)
            return mz_text_add(out, " not finished: %s\n", reference.reason),
                   strstr(reference.reason, "limit of") ? TOO_LARGE : TOO_LARGE + 1;
        if (settled)
            compare_brute(the->brute, &reference, checks, out);
        if (settled && the->brute)
            section_classes_compare(machine, &reference.traces, &reference.errors, out);
        for (size_t i = 0; settled && i < sizeof ways / sizeof *ways; i++) {
            release(&v);
            v.of_observations = ways[i].algorithm->equivalence == MZ_OBSERVATION;
            settled =
                explore(machine, ways[i].algorithm,
                        (mz_search_options){.checks = checks, .sleep_sets = ways[i].sleep}, observe, &v);
            if (settled)
                compare(ways[i].algorithm, v.of_observations ? &observations : &reference, &v, ways[i].once,
                        out);
            if (settled && ways[i].algorithm->optimal && v.blocked && !machine->complex_blocking)
                mz_text_add(out, " %s: %llu executions blocked\n", ways[i].algorithm->name,
                            (unsigned long long)v.blocked);
        }
        settled = settled && compare_refined(machine, checks, &reference, out);
        settled = settled && compare_levels(machine, checks, &reference, out);
        settled = settled && compare_parts(machine, checks, reference.traces.count, &parts, out);
        /* Plans are for 64 threads, name each operation, and count traces of the published relation. */
        bool has_plans = the->reuses == 0 && !generate_c_many_threads;
        bool is_refined = machine->refined & the->relation;
        machine->relation = MZ_RELATION_PUBLISHED;
        if (settled && has_plans && is_refined) {
            release(&v);
            v.of_observations = false;
            settled =
                explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks}, observe, &v);
            has_plans = v.finished;
        }
        size_t traces = is_refined ? v.traces.count : reference.traces.count;
        plans.programs = reference.traces.count; /* which rule for the first trace */
        settled = settled && (!has_plans || plans_try(machine, checks, traces, &plans, out));
        for (uint64_t seed = 0; settled && has_plans && seed < 3; seed++)
            settled =
                sets_compare(machine, checks, mz_mix64(seed + reference.traces.count), &plans.sets, out);
    }
    sets_add(&oracle_shared->sets, &plans.sets);
    parts_add(&oracle_shared->parts, &parts);
    strategies_add(&oracle_shared->strategies, &plans.strategies);
    return out->length > 0 ? DISAGREE : AGREE;
}

static int find_outcomes(const task *the, mz_text *out)
{
    mz_machine *machine = load(the, out);
    static bool ordered[MOST_LOCATIONS], found[64];
    visits v = {.ordered = ordered};
    if (!machine)
        return DISAGREE;
    do {
        release(&v);
        mz_native_prepare(machine);
    } while (!explore(machine, &mz_algorithm_full, (mz_search_options){.checks = the->checks}, observe, &v));
    if (!v.finished)
        return TOO_LARGE;
    for (size_t i = 0; i < v.errors.capacity; i++) {
        if (!v.errors.strings[i])
            continue;
        char error[256];
        snprintf(error, sizeof error, "%.*s", (int)v.errors.lengths[i], v.errors.strings[i]);
        const char *number = strstr(error, "outcome ");
        if (number)
            found[atoi(number + strlen("outcome ")) & 63] = true;
        else
            mz_text_add(out, " %s", error);
    }
    for (int i = 0; i < 64; i++)
        if (found[i])
            mz_text_add(out, " %d", i);
    mz_text_add(out, "\n");
    return AGREE;
}

int run_job(const task *the, mz_text *out)
{
    static int (*const jobs[])(const task *, mz_text *) = {
        [COMPARE] = check, [BRUTE] = find_by_brute_force, [ORDER] = check_order, [OUTCOMES] = find_outcomes};
    return run_apart(jobs[the->job], the, out);
}
