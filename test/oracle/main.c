/* The differential oracle: random programs, every algorithm against exact enumeration.
 *
 *     oracle [--seeds=N] [--from=K] [--seed=K] [--prefixes=N] [--show]
 *
 * For each program: every algorithm must visit exactly the traces of the reference (compared in full),
 * none twice if it explores traces, with equal hashes exactly for equal traces; report the same errors and
 * deadlocks; and, if it claims to be optimal, never end blocked. A failing program is shrunk and printed. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "machine/identity.h"
#include "model/model.h"
#include "oracle/edges.h"
#include "oracle/generate.h"
#include "oracle/parts.h"
#include "oracle/plans.h"
#include "oracle/reference.h"

typedef struct settings {
    uint64_t from, count;
    size_t prefixes;
    bool show;
} settings;

enum { MOST_WAYS = 64, ENOUGH = 50 /* programs, so that one is small enough for every way */ };

typedef struct tally {
    uint64_t compared, skipped, failed, traces, blocked, deadlocking, complex, finer, levels;
    uint64_t constraint_sets, constrained_traces, constrained_safe;
    plan_tally plans;
    uint64_t by_way[MOST_WAYS]; /* how often each way to run an algorithm was compared */
    parts_tally parts;
} tally;

/* What an algorithm has visited. */
typedef struct visits {
    string_set traces, finals, observations;
    const mz_machine *model; /* whose final states count: not which constraints have been kept */
    mz_hash_set hashes;
    uint32_t ordered;
    uint64_t repeated, observed_again;
    bool too_long, hashes_differ;
} visits;

static void observe(void *context, mz_search *search, mz_leaf leaf)
{
    visits *v = context;
    const mz_execution *x = search->execution;
    if (leaf == MZ_LEAF_BLOCKED || leaf == MZ_LEAF_PRUNED || leaf == MZ_LEAF_VISITED)
        return;
    if (search->options.stateful) { /* which visits few of the traces, but all of their final states */
        mz_search_return_to(search, x->length); /* a counterexample may have moved the machine */
        reference_add_final(&v->finals, v->model);
    }
    reference_prefix prefix = {.initial_choice_count = (uint32_t)x->initial_choices};
    for (size_t i = 0; i < x->initial_choices; i++)
        prefix.initial_choices[i] = x->choices[i].value;
    for (size_t i = 0; i < x->length; i++) {
        const mz_event *e = &x->events[i];
        mz_access accesses[MOST_ACCESSES];
        for (uint32_t j = 0; j < e->access_count && j < MOST_ACCESSES; j++)
            accesses[j] = x->records[e->first_access + j].access;
        if (!reference_append(&prefix, e->thread, accesses, e->access_count, x->choices + e->first_choice,
                              e->choice_count)) {
            v->too_long = true;
            return;
        }
    }
    mz_text observation = {0};
    reference_observation(&prefix, x->thread_capacity, v->ordered, &observation);
    v->observed_again += !string_set_add(&v->observations, mz_text_string(&observation), observation.length);
    mz_text_release(&observation);
    mz_text identity = {0};
    reference_identity(&prefix, x->thread_capacity, &identity);
    bool is_new = string_set_add(&v->traces, mz_text_string(&identity), identity.length);
    bool new_hash = mz_hash_set_add(&v->hashes, mz_identity(x));
    v->hashes_differ |= is_new != new_hash;
    v->repeated += !is_new;
    mz_text_release(&identity);
}

static size_t missing(const string_set *from, const string_set *in)
{
    size_t count = 0;
    for (size_t i = 0; i < from->capacity; i++)
        count += from->strings[i] && !string_set_has(in, from->strings[i], from->lengths[i]);
    return count;
}

/* `all`: none may be missed, either. */
static void compare_errors(const mz_search *search, const reference_result *reference, bool all,
                           mz_text *problem)
{
    string_set found = {0};
    for (size_t i = 0; i < search->problem_count; i++) {
        mz_text name = {0};
        reference_error_name(&search->problems[i].failure, &name);
        string_set_add(&found, mz_text_string(&name), name.length);
        mz_text_release(&name);
    }
    for (size_t i = 0; all && i < reference->errors.capacity; i++) {
        const char *name = reference->errors.strings[i];
        if (name && !string_set_has(&found, name, reference->errors.lengths[i]))
            mz_text_add(problem, "  error not reported: %s\n", name);
    }
    for (size_t i = 0; i < found.capacity; i++)
        if (found.strings[i] && !string_set_has(&reference->errors, found.strings[i], found.lengths[i]))
            mz_text_add(problem, "  error that does not exist: %s\n", found.strings[i]);
    string_set_release(&found);
}

/* One way to run an algorithm. */
typedef struct variant {
    const mz_algorithm *algorithm;
    bool stateful, sleep_sets, object_dependency, visited_calls, all_sections;
    bool bounded, delayed; /* the reference is that of so many preemptions, or delays: */
    uint32_t budget;
} variant;

/* Beside every algorithm as it is. */
static const variant MORE_VARIANTS[] = {
    {.algorithm = &mz_algorithm_full, .stateful = true},
    {.algorithm = &mz_algorithm_dpor, .stateful = true},
    {.algorithm = &mz_algorithm_dpor, .stateful = true, .object_dependency = true},
    {.algorithm = &mz_algorithm_dpor, .sleep_sets = true},
    {.algorithm = &mz_algorithm_eager, .all_sections = true},
    {.algorithm = &mz_algorithm_lazy, .visited_calls = true},
};

/* Every algorithm as it is, and these. */
static size_t way_count(void)
{
    size_t count = mz_algorithm_count + sizeof MORE_VARIANTS / sizeof *MORE_VARIANTS;
    assert(count <= MOST_WAYS);
    return count;
}

static variant way_at(size_t i)
{
    return i < mz_algorithm_count ? (variant){.algorithm = mz_algorithms[i]}
                                  : MORE_VARIANTS[i - mz_algorithm_count];
}

static const char *options_of(const variant *way)
{
    return way->stateful && way->object_dependency ? " --stateful --dependency=object"
           : way->stateful                         ? " --stateful"
           : way->sleep_sets                       ? " --sleep"
           : way->visited_calls                    ? " --lazy=visited"
           : way->all_sections                     ? " --sections=all"
           : way->bounded                          ? " --preemptions"
           : way->delayed                          ? " --delays"
                                                   : "";
}

/* The others may take too long even for programs that can be enumerated. */
static bool visits_once(const variant *v)
{
    return v->algorithm->equivalence != MZ_INTERLEAVING && !v->algorithm->samples &&
           (!v->algorithm->repeats || v->sleep_sets);
}

static bool visits_observations(const variant *v)
{
    return v->algorithm->equivalence == MZ_OBSERVATION;
}

static void compare_observations(const variant *way, const visits *v, const reference_result *reference,
                                 bool is_finer, mz_text *wrong)
{
    bool exact = !is_finer && (!way->algorithm->only_on_trees || reference_is_acyclic(reference));
    size_t missed = missing(&reference->observations, &v->observations);
    if (missed)
        mz_text_add(wrong, "  %zu of %zu observations missed\n", missed, reference->observations.count);
    if (v->observed_again && exact)
        mz_text_add(wrong, "  %llu observations visited again\n", (unsigned long long)v->observed_again);
}

/* Was it the bound that ended the search, and no other limit? */
static bool is_bound(const variant *way, const mz_search *search)
{
    const char *option = way->bounded ? "--preemptions" : "--delays";
    return (way->bounded || way->delayed) && strstr(mz_text_string(&search->reason), option);
}

/* What an algorithm that visits a sample finds has to exist; what it does not find is its own affair. */
static void compare_sample(const mz_search *search, const visits *v, const reference_result *reference,
                           mz_text *wrong)
{
    size_t extra = missing(&v->traces, &reference->traces);
    if (search->internal_error)
        mz_text_add(wrong, "  a counterexample does not replay\n");
    else if (search->statistics.executions == 0)
        mz_text_add(wrong, "  no execution was visited\n");
    else if (extra && !v->too_long)
        mz_text_add(wrong, "  %zu traces that do not exist\n", extra);
    else if (mz_search_verdict(search) == MZ_SAFE)
        mz_text_add(wrong, "  a sample is called safe\n");
    compare_errors(search, reference, false, wrong);
}

/* `model`: the machine itself, or the one without the constraints. Was there anything to compare? */
static bool try_variant(const variant *way, mz_machine *machine, const mz_machine *model,
                        const reference_result *reference, tally *t, mz_text *problem)
{
    visits v = {.ordered = reference->ordered, .model = model};
    mz_search search;
    mz_search_options options = {.checks = MZ_FAILURES_ALL,
                                 .all_errors = true,
                                 .stateful = way->stateful,
                                 .sleep_sets = way->sleep_sets,
                                 .object_dependency = way->object_dependency,
                                 .visited_calls = way->visited_calls,
                                 .all_sections = way->all_sections,
                                 .bounds_preemptions = way->bounded,
                                 .preemptions = way->budget,
                                 .bounds_delays = way->delayed,
                                 .delays = way->budget};
    bool once = visits_once(way);
    options.limits.events = once ? 2000000 : 50000;
    mz_search_init(&search, machine, &options);
    search.observe = observe;
    search.observe_context = &v;
    if (way->algorithm->samples)
        mz_algorithm_run(way->algorithm, &search);
    else
        way->algorithm->run(&search);
    mz_text wrong = {0};
    bool compared = false;
    if (way->algorithm->samples) {
        compared = true;
        compare_sample(&search, &v, reference, &wrong);
    } else if (search.internal_error)
        mz_text_add(&wrong, "  a counterexample does not replay\n");
    else if (search.incomplete && once && !is_bound(way, &search))
        mz_text_add(&wrong, "  not finished: %s\n", mz_text_string(&search.reason));
    else if ((!search.incomplete || is_bound(way, &search)) && !v.too_long) {
        compared = true;
        /* With --dependency=object traces are finer. */
        bool all = !way->stateful && !way->object_dependency && !visits_observations(way);
        size_t missed = all ? missing(&reference->traces, &v.traces) : 0;
        size_t extra = way->object_dependency ? 0 : missing(&v.traces, &reference->traces);
        size_t finals = way->stateful
                            ? missing(&reference->finals, &v.finals) + missing(&v.finals, &reference->finals)
                            : 0;
        if (visits_observations(way))
            compare_observations(way, &v, reference, search.is_finer, &wrong);
        if (missed)
            mz_text_add(&wrong, "  %zu of %zu traces missed\n", missed, reference->traces.count);
        if (extra)
            mz_text_add(&wrong, "  %zu traces that do not exist\n", extra);
        if (finals)
            mz_text_add(&wrong, "  %zu final states missed or too many\n", finals);
        if (once && v.repeated)
            mz_text_add(&wrong, "  %llu traces visited again\n", (unsigned long long)v.repeated);
        if (v.hashes_differ)
            mz_text_add(&wrong, "  hashes and identities disagree\n");
        if (way->algorithm->optimal && search.statistics.blocked && !machine->complex_blocking)
            mz_text_add(&wrong, "  %llu executions blocked\n", (unsigned long long)search.statistics.blocked);
        compare_errors(&search, reference, true, &wrong);
    }
    if (once)
        t->blocked += search.statistics.blocked;
    t->finer += search.is_finer;
    if (wrong.length > 0)
        mz_text_add(problem, "%s%s:\n%s", way->algorithm->name, options_of(way), mz_text_string(&wrong));
    mz_text_release(&wrong);
    mz_search_release(&search);
    string_set_release(&v.traces);
    string_set_release(&v.observations);
    string_set_release(&v.finals);
    mz_hash_set_release(&v.hashes);
    return compared;
}

typedef enum outcome { AGREES, SKIPPED, DISAGREES } outcome;

static void try_level(mz_machine *machine, const variant *way, reference_cost *cost, size_t most, tally *t,
                      mz_text *problem)
{
    reference_result reference;
    reference_enumerate_within(machine, cost, way->budget, most, &reference);
    if (!reference.too_large) {
        try_variant(way, machine, machine, &reference, t, problem);
        t->levels++;
    }
    reference_release(&reference);
}

/* Levels 0, 1, 2 against every execution with so few preemptions, and levels 0 to 4 against every one with so
 * few delays. */
static void try_levels(mz_machine *machine, size_t most, tally *t, mz_text *problem)
{
    variant preempted = {.algorithm = &mz_algorithm_bounded, .bounded = true};
    variant delayed = {.algorithm = &mz_algorithm_delays, .delayed = true};
    for (; preempted.budget <= 2; preempted.budget++)
        try_level(machine, &preempted, reference_preemptions, most, t, problem);
    for (; delayed.budget <= 4; delayed.budget++)
        try_level(machine, &delayed, reference_delays, most, t, problem);
}

static void try_variants(mz_machine *machine, const mz_machine *model, const reference_result *reference,
                         tally *t, mz_text *problem)
{
    for (size_t i = 0; i < way_count(); i++) {
        variant way = way_at(i);
        t->by_way[i] += try_variant(&way, machine, model, reference, t, problem);
    }
}

/* A way that was compared with nothing, because it took too long each time, is not tested. */
static size_t count_untested(const tally *t)
{
    size_t untested = 0;
    for (size_t i = 0; i < way_count(); i++) {
        variant way = way_at(i);
        if (t->by_way[i] > 0)
            continue;
        untested++;
        printf("oracle: FAILED %s%s was compared with nothing\n", way.algorithm->name, options_of(&way));
    }
    return untested;
}

/* The same searches in parts: every algorithm of which there are items. */
static void try_parts(mz_machine *machine, uint64_t seed, tally *t, mz_text *problem)
{
    mz_search_options options = {.checks = MZ_FAILURES_ALL, .all_errors = true};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (!mz_algorithms[i]->in_one_piece)
            parts_try(machine, mz_algorithms[i], &options, seed + i, &t->parts, problem);
    options.sleep_sets = options.all_sections = options.bounds_preemptions = options.bounds_delays = true;
    options.preemptions = (uint32_t)(seed % 3);
    options.delays = (uint32_t)(seed % 5);
    parts_try(machine, &mz_algorithm_dpor, &options, seed, &t->parts, problem);
    parts_try(machine, &mz_algorithm_eager, &options, seed, &t->parts, problem);
    parts_try(machine, &mz_algorithm_bounded, &options, seed, &t->parts, problem);
    parts_try(machine, &mz_algorithm_delays, &options, seed, &t->parts, problem);
}

static void show_edges(const mz_edge *edges, size_t count, mz_text *out)
{
    for (size_t i = 0; i < count; i++)
        mz_text_add(out, "  %u.%u -> %u.%u", edges[i].from.thread, edges[i].from.count, edges[i].to.thread,
                    edges[i].to.count);
    mz_text_add(out, "\n");
}

/* Under constraints: every algorithm on the machine that keeps them, against all executions that do. */
static void try_constrained(mz_machine *machine, uint64_t seed, const settings *s, tally *t, mz_text *problem)
{
    enum { SETS = 3 };
    for (uint64_t i = 0; i < SETS; i++) {
        mz_edge edges[MOST_EDGES];
        size_t count = edges_choose(machine, mz_mix64(seed + i), edges), length = problem->length;
        reference_result reference;
        reference_enumerate_under(machine, edges, count, s->prefixes, &reference);
        mz_machine *constrained = mz_constrain(machine, edges, count, false);
        if (!reference.too_large && count > 0) {
            try_variants(constrained, machine, &reference, t, problem);
            t->constraint_sets++;
            t->constrained_traces += reference.traces.count;
            t->constrained_safe += reference.errors.count == 0;
        }
        if (problem->length > length)
            show_edges(edges, count, problem);
        constrained->class->destroy(constrained);
        reference_release(&reference);
    }
}

/* One program through everything. */
static outcome try_program(const char *source, size_t length, const settings *s, tally *t, mz_text *problem)
{
    mz_error error = {0};
    mz_model *model = mz_model_parse("random.dlang", source, length, NULL, 0, &error);
    if (!model) {
        mz_text_add(problem, "does not parse:\n");
        mz_error_print(&error, problem);
        mz_error_release(&error);
        return DISAGREES;
    }
    mz_machine *machine = mz_model_machine(model);
    reference_result reference;
    reference_enumerate(machine, s->prefixes, &reference);
    outcome result = SKIPPED;
    if (!reference.too_large) {
        if (reference.broken_promise.length > 0)
            mz_text_add(problem, "machine: %s\n", mz_text_string(&reference.broken_promise));
        try_variants(machine, machine, &reference, t, problem);
        try_parts(machine, length, t, problem);
        try_constrained(machine, length, s, t, problem);
        sets_compare(machine, MZ_FAILURES_ALL, length, &t->plans.sets, problem);
        plans_try(machine, MZ_FAILURES_ALL, reference.traces.count, &t->plans, problem);
        try_levels(machine, s->prefixes, t, problem);
        t->traces += reference.traces.count;
        t->deadlocking += reference.errors.count > 0;
        t->complex += machine->complex_blocking;
        result = problem->length > 0 ? DISAGREES : AGREES;
    }
    reference_release(&reference);
    machine->class->destroy(machine);
    mz_model_destroy(model);
    return result;
}

static outcome try_generated(const oracle_program *program, const settings *s, tally *t, mz_text *problem)
{
    mz_text source = {0};
    oracle_write(program, &source);
    mz_text_clear(problem);
    outcome result = try_program(mz_text_string(&source), source.length, s, t, problem);
    mz_text_release(&source);
    return result;
}

/* Undo a change unless the program still fails (and still is a program). */
static bool keep_if_failing(const oracle_program *program, bool *change, const settings *s)
{
    tally ignored = {0};
    mz_text problem = {0};
    *change = true;
    bool fails = try_generated(program, s, &ignored, &problem) == DISAGREES &&
                 strncmp(mz_text_string(&problem), "does not parse", 14) != 0;
    *change = fails;
    mz_text_release(&problem);
    return fails;
}

static void shrink(oracle_program *program, const settings *s)
{
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (uint32_t t = 0; t < program->thread_count; t++)
            if (!program->removed[t])
                smaller |= keep_if_failing(program, &program->removed[t], s);
        for (uint32_t i = 0; i < program->statement_count; i++) {
            oracle_statement *statement = program->all[i];
            if (!statement->removed)
                smaller |= keep_if_failing(program, &statement->removed, s);
            if (!statement->removed && statement->has_body && !statement->unwrapped)
                smaller |= keep_if_failing(program, &statement->unwrapped, s);
        }
    }
}

static void report_failure(uint64_t seed, oracle_program *program, const settings *s)
{
    tally ignored = {0};
    mz_text problem = {0}, source = {0};
    shrink(program, s);
    try_generated(program, s, &ignored, &problem);
    oracle_write(program, &source);
    printf("FAILED seed %llu, shrunk to:\n%s%s\n", (unsigned long long)seed, mz_text_string(&source),
           mz_text_string(&problem));
    fflush(stdout);
    mz_text_release(&problem);
    mz_text_release(&source);
}

static bool parse_arguments(int argc, char **argv, settings *s)
{
    for (int i = 1; i < argc; i++) {
        unsigned long long value = 0;
        if (sscanf(argv[i], "--seeds=%llu", &value) == 1) {
            s->count = value;
        } else if (sscanf(argv[i], "--from=%llu", &value) == 1) {
            s->from = value;
        } else if (sscanf(argv[i], "--prefixes=%llu", &value) == 1) {
            s->prefixes = (size_t)value;
        } else if (sscanf(argv[i], "--seed=%llu", &value) == 1) {
            s->from = value;
            s->count = 1;
        } else if (strcmp(argv[i], "--show") == 0) {
            s->show = true;
        } else {
            fprintf(stderr, "usage: oracle [--seeds=N] [--from=K] [--seed=K] [--prefixes=N] [--show]\n");
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    settings s = {.from = 1, .count = 2000, .prefixes = 20000};
    if (!parse_arguments(argc, argv, &s))
        return 2;
    tally t = {0};
    for (uint64_t seed = s.from; seed < s.from + s.count && t.failed < 10; seed++) {
        oracle_program *program = oracle_generate(seed);
        mz_text problem = {0};
        if (s.show) {
            oracle_write(program, &problem);
            printf("seed %llu\n%s", (unsigned long long)seed, mz_text_string(&problem));
        }
        outcome result = try_generated(program, &s, &t, &problem);
        t.compared += result == AGREES;
        t.skipped += result == SKIPPED;
        if (result == DISAGREES) {
            t.failed++;
            report_failure(seed, program, &s);
        }
        mz_text_release(&problem);
        oracle_program_destroy(program);
    }
    printf("oracle: %llu programs agree (%llu traces, %llu with errors, %llu with complex waiting; %llu "
           "times traces instead of observations; %llu executions blocked; %llu levels of preemptions or "
           "delays), %llu "
           "too large, %llu failed\n",
           (unsigned long long)t.compared, (unsigned long long)t.traces, (unsigned long long)t.deadlocking,
           (unsigned long long)t.complex, (unsigned long long)t.finer, (unsigned long long)t.blocked,
           (unsigned long long)t.levels, (unsigned long long)t.skipped, (unsigned long long)t.failed);
    printf("plans: %llu prefixes of %llu programs (%llu with a chosen first trace, %llu with errors, %llu "
           "without plan), %llu of them empty, %llu overtaken; %llu executions, %llu too many; %llu "
           "valuations\n",
           (unsigned long long)t.plans.prefixes, (unsigned long long)t.plans.programs,
           (unsigned long long)t.plans.chosen, (unsigned long long)t.plans.with_bug,
           (unsigned long long)t.plans.without_plan, (unsigned long long)t.plans.all_verified,
           (unsigned long long)t.plans.overtaken, (unsigned long long)t.plans.executions,
           (unsigned long long)t.plans.too_large, (unsigned long long)t.plans.valuations);
    strategies_print(&t.plans.strategies);
    sets_print(&t.plans.sets);
    late_print(&t.plans.late);
    parts_print(&t.parts);
    printf("constraints: %llu sets kept (%llu traces), %llu of them without errors\n",
           (unsigned long long)t.constraint_sets, (unsigned long long)t.constrained_traces,
           (unsigned long long)t.constrained_safe);
    size_t untested = s.count >= ENOUGH ? count_untested(&t) : 0;
    return untested > 0 || t.failed > 0 || t.compared == 0;
}
