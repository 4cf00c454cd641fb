/* The jobs of the oracle for real programs: each loads one program, in a process of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "oracle/generate_c.h"
#include "oracle/native_jobs.h"
#include "oracle/native_twins.h"
#include "oracle/native_visits.h"
#include "oracle/section_classes.h"
#include "program/program.h"

struct oracle_shared *oracle_shared;

/* Of one job: a thread that allocates for ever is left when this is full. */
#define MEMORY_LIMIT (UINT64_C(1) << 28)
/* Seconds: local work of the programs is some microseconds; what is endless need not be followed for long. */
#define PATIENCE 0.5

/* The reference for observations. They depend on what is waited for, which all interleavings tell. */
static bool explore_observations(mz_machine *machine, uint32_t checks, visits *v)
{
    if (!visits_explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks},
                        visits_look_for_waiting, v))
        return false;
    visits_clear(v);
    return visits_explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks}, visits_observe,
                          v);
}

static bool compare_level(mz_machine *machine, const mz_algorithm *algorithm, mz_search_options options,
                          const string_set *level, bool *ordered, mz_text *out)
{
    visits v = {.ordered = ordered};
    bool settled = visits_explore(machine, algorithm, options, visits_observe, &v);
    size_t missed = visits_missing(level, &v.traces, "missed", out),
           extra = visits_missing(&v.traces, level, NULL, out);
    if (settled && (!v.finished || missed || extra || v.repeated))
        mz_text_add(out, " %s, level %u: %zu of %zu traces missed, %zu too many, %llu again %s\n",
                    algorithm->name, options.preemptions, missed, level->count, extra,
                    (unsigned long long)v.repeated, v.reason);
    visits_clear(&v);
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
    mz_search_options options = {.checks = checks,
                                 .all_errors = true,
                                 .repeats_nothing = true,
                                 .limits.depth = 2000,
                                 .runs = 30,
                                 .seed = seed};
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
        visits_clear(&v);
        string_set_release(&classes);
        mz_native_prepare(machine);
    } while (!visits_explore(machine, &mz_algorithm_full, (mz_search_options){.checks = the->checks},
                             visits_observe, &v));
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
        visits_clear(&traces);
        visits_clear(&observations);
        memset(ordered, 0, sizeof ordered);
        mz_native_prepare(machine);
        mz_search_options options = {.checks = the->checks};
        settled = visits_explore(machine, &mz_algorithm_full, options, visits_observe, &traces) &&
                  explore_observations(machine, the->checks, &observations);
        options.relation = MZ_REFINES_CLASSES;
        visits_clear(&traces);
        settled = settled && visits_explore(machine, &mz_algorithm_full, options, visits_observe, &traces);
    }
    return out->length > 0 ? DISAGREE : AGREE;
}

static void compare_brute(const string_set *brute, const visits *reference, uint32_t checks, mz_text *out)
{
    bool races = checks & (1u << MZ_FAIL_RACE);
    if (races && brute && visits_have_race(brute) && visits_have_race(&reference->errors))
        return;
    if (brute && visits_missing(brute, &reference->errors, "error not found", out))
        mz_text_add(out, " full: errors not found that brute force finds\n");
    if (brute && visits_missing(&reference->errors, brute, "error that does not exist", out))
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
    bool settled = visits_explore(machine, &mz_algorithm_full, options, visits_observe, &reference);
    bool both_race = visits_have_race(&published->errors) && visits_have_race(&reference.errors);
    if (settled && reference.traces.count > published->traces.count)
        mz_text_add(out, " refined: %zu traces instead of %zu\n", reference.traces.count,
                    published->traces.count);
    if (settled && reference.finished && !both_race) {
        if (visits_missing(&published->errors, &reference.errors, "error not found", out))
            mz_text_add(out, " refined: errors not found\n");
        if (visits_missing(&reference.errors, &published->errors, "error that does not exist", out))
            mz_text_add(out, " refined: errors that do not exist\n");
    }
    for (size_t i = 0; settled && machine->refined && i < sizeof ways / sizeof *ways; i++) {
        if (!(ways[i].algorithm->refinements & MZ_REFINES_CLASSES))
            continue;
        visits_clear(&v);
        options.sleep_sets = ways[i].sleep;
        settled = visits_explore(machine, ways[i].algorithm, options, visits_observe, &v);
        mz_text wrong = {0};
        if (settled && reference.finished)
            visits_compare(ways[i].algorithm, &reference, &v, ways[i].once, &wrong);
        if (wrong.length > 0)
            mz_text_add(out, " with classes:\n%s", mz_text_string(&wrong));
        mz_text_release(&wrong);
    }
    visits_clear(&reference);
    visits_clear(&v);
    return settled;
}

/* Whoever prunes states that were visited before finds few traces, but all errors, and all that is there in
 * the end. Where states are compared, rounds of loops in vain may be noticed earlier (what hooks leave on
 * stacks is cleared): so traces are those of a search that prunes nothing, but compares; its errors are those
 * of the reference. */
static bool compare_states(mz_machine *machine, uint32_t checks, const visits *reference, mz_text *out)
{
    static const mz_algorithm *const algorithms[] = {&mz_algorithm_full, &mz_algorithm_dpor};
    string_set all = {0}, found = {0};
    visits every = {.ordered = reference->ordered, .finals = &all};
    visits v = {.ordered = reference->ordered, .finals = &found};
    mz_search_options options = {.checks = checks};
    machine->is_fingerprinted = true;
    bool settled = visits_explore(machine, &mz_algorithm_full, options, visits_observe, &every);
    bool finished = every.finished;
    if (settled && finished)
        visits_compare_errors("where states are compared", false, reference, &every, out);
    options.stateful = true;
    for (size_t i = 0; settled && finished && i < sizeof algorithms / sizeof *algorithms; i++) {
        mz_text wrong = {0};
        visits_clear(&v);
        string_set_release(&found);
        settled = visits_explore(machine, algorithms[i], options, visits_observe, &v);
        if (settled && !v.finished)
            mz_text_add(&wrong, " not finished: %s\n", v.reason);
        if (settled)
            visits_compare_ends(algorithms[i], &every, &v, &wrong);
        if (settled && (visits_missing(&all, &found, "not found", &wrong) ||
                        visits_missing(&found, &all, "too many", &wrong)))
            mz_text_add(&wrong, " %s: final states differ\n", algorithms[i]->name);
        if (wrong.length > 0)
            mz_text_add(out, " with --stateful:\n%s", mz_text_string(&wrong));
        mz_text_release(&wrong);
    }
    machine->is_fingerprinted = false;
    visits_clear(&v);
    visits_clear(&every);
    string_set_release(&all);
    string_set_release(&found);
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
        visits_clear(&reference);
        visits_clear(&observations);
        memset(ordered, 0, sizeof ordered);
        machine->relation = the->relation;
        mz_native_prepare(machine);
        settled = visits_explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks},
                                 visits_observe, &reference) &&
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
            visits_clear(&v);
            v.of_observations = ways[i].algorithm->equivalence == MZ_OBSERVATION;
            settled = visits_explore(machine, ways[i].algorithm,
                                     (mz_search_options){.checks = checks, .sleep_sets = ways[i].sleep},
                                     visits_observe, &v);
            if (settled)
                visits_compare(ways[i].algorithm, v.of_observations ? &observations : &reference, &v,
                               ways[i].once, out);
            if (settled && ways[i].algorithm->optimal && v.blocked && !machine->complex_blocking)
                mz_text_add(out, " %s: %llu executions blocked\n", ways[i].algorithm->name,
                            (unsigned long long)v.blocked);
        }
        settled = settled && compare_states(machine, checks, &reference, out);
        settled = settled && compare_refined(machine, checks, &reference, out);
        settled = settled && compare_levels(machine, checks, &reference, out);
        settled = settled && compare_parts(machine, checks, reference.traces.count, &parts, out);
        /* Plans are for 64 threads, name each operation, and count traces of the published relation. */
        bool has_plans = the->reuses == 0 && !generate_c_many_threads;
        bool is_refined = machine->refined & the->relation;
        machine->relation = MZ_RELATION_PUBLISHED;
        if (settled && has_plans && is_refined) {
            visits_clear(&v);
            v.of_observations = false;
            settled = visits_explore(machine, &mz_algorithm_full, (mz_search_options){.checks = checks},
                                     visits_observe, &v);
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
        visits_clear(&v);
        mz_native_prepare(machine);
    } while (!visits_explore(machine, &mz_algorithm_full, (mz_search_options){.checks = the->checks},
                             visits_observe, &v));
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

static int check_twins(const task *the, mz_text *out)
{
    mz_machine *machine = load(the, out);
    if (!machine)
        return DISAGREE;
    return !twins_compare(the, machine, out) ? TOO_LARGE : out->length > 0 ? DISAGREE : AGREE;
}

int run_job(const task *the, mz_text *out)
{
    static int (*const jobs[])(const task *, mz_text *) = {[COMPARE] = check,
                                                           [BRUTE] = find_by_brute_force,
                                                           [ORDER] = check_order,
                                                           [OUTCOMES] = find_outcomes,
                                                           [TWINS] = check_twins};
    return run_apart(jobs[the->job], the, out);
}
