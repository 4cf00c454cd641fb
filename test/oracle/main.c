/* The differential oracle: random programs, every algorithm against exact enumeration.
 *
 *     oracle [--seeds=N] [--from=K] [--seed=K] [--prefixes=N] [--objects | --twins | --symmetry] [--show]
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
#include "model/model.h"
#include "oracle/edges.h"
#include "oracle/generate.h"
#include "oracle/model_twins.h"
#include "oracle/objects.h"
#include "oracle/orbits.h"
#include "oracle/parts.h"
#include "oracle/plans.h"
#include "oracle/reference.h"
#include "oracle/variants.h"

typedef struct settings {
    uint64_t from, count;
    size_t prefixes;
    bool show, only_print, only_objects, only_twins, only_symmetry;
} settings;

enum { MOST_WAYS = 64, ENOUGH = 50 /* programs, so that one is small enough for every way */ };

typedef struct tally {
    uint64_t compared, skipped, failed, traces, deadlocking, complex, levels;
    uint64_t refined, refined_traces, objects, twins, buffered, buffered_traces;
    uint64_t constraint_sets, constrained_traces, constrained_safe;
    plan_tally plans;
    variant_tally variants;
    orbit_tally orbits;
    uint64_t by_way[MOST_WAYS]; /* how often each way to run an algorithm was compared */
    parts_tally parts;
} tally;

typedef enum outcome { AGREES, SKIPPED, DISAGREES } outcome;

static void try_level(mz_machine *machine, const variant *way, reference_cost *cost, size_t most, tally *t,
                      mz_text *problem)
{
    reference_result reference;
    reference_enumerate_within(machine, cost, way->budget, most, &reference);
    if (!reference.too_large) {
        variant_try(way, machine, machine, &reference, &t->variants, problem);
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
    for (size_t i = 0; i < variant_count(); i++) {
        variant way = variant_at(i);
        t->by_way[i] += variant_try(&way, machine, model, reference, &t->variants, problem);
    }
}

/* A way that was compared with nothing, because it took too long each time, is not tested. */
static size_t count_untested(const tally *t)
{
    size_t untested = 0;
    for (size_t i = 0; i < variant_count(); i++) {
        variant way = variant_at(i);
        if (t->by_way[i] > 0)
            continue;
        untested++;
        printf("oracle: FAILED %s%s was compared with nothing\n", way.algorithm->name, variant_options(&way));
    }
    return untested;
}

/* The same searches in parts: every algorithm of which there are items. */
static void try_parts(mz_machine *machine, uint64_t seed, tally *t, mz_text *problem)
{
    mz_search_options options = {.checks = MZ_FAILURES_ALL, .all_errors = true, .runs = 30, .seed = seed};
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

/* ---- refinements of the relation -------------------------------------------------------------------------
 */

static void compare_sets(const string_set *published, const string_set *refined, const char *what,
                         mz_text *problem)
{
    size_t missed = variant_missing(published, refined), more = variant_missing(refined, published);
    if (missed + more > 0)
        mz_text_add(problem, "%s of the refined relation: %zu missed, %zu too many\n", what, missed, more);
}

static bool follows(const variant *way, mz_relation relation)
{
    return (way->algorithm->refinements & relation) == relation && !way->object_dependency;
}

/* Fewer traces, which have the same errors and lead to the same final states as all of the published
 * relation; and every algorithm that says that it follows the refinements visits exactly these. */
static void try_refined(mz_machine *machine, const reference_result *published, uint64_t seed,
                        const settings *s, tally *t, mz_text *problem)
{
    reference_result reference;
    mz_search_options options = {
        .checks = MZ_FAILURES_ALL, .all_errors = true, .relation = MZ_REFINES_CLASSES, .runs = 30};
    machine->relation = options.relation;
    machine->refined = MZ_RELATION_PUBLISHED;
    reference_enumerate(machine, s->prefixes, &reference);
    if (!reference.too_large && machine->refined != MZ_RELATION_PUBLISHED) {
        if (reference.broken_promise.length > 0)
            mz_text_add(problem, "machine with classes: %s\n", mz_text_string(&reference.broken_promise));
        compare_sets(&published->errors, &reference.errors, "errors", problem);
        compare_sets(&published->finals, &reference.finals, "final states", problem);
        for (size_t i = 0; i < variant_count(); i++) {
            variant way = variant_at(i);
            if (follows(&way, options.relation))
                variant_try(&way, machine, machine, &reference, &t->variants, problem);
        }
        for (size_t i = 0; i < mz_algorithm_count; i++)
            if (!mz_algorithms[i]->in_one_piece && (mz_algorithms[i]->refinements & options.relation))
                parts_try(machine, mz_algorithms[i], &options, seed + i, &t->parts, problem);
        try_levels(machine, s->prefixes, t, problem);
        t->refined++;
        t->refined_traces += reference.traces.count;
    }
    machine->relation = MZ_RELATION_PUBLISHED;
    reference_release(&reference);
}

/* A program on objects. */
static outcome try_objects(uint64_t seed, const settings *s, tally *t, mz_text *problem)
{
    mz_machine *machine = objects_generate(seed);
    reference_result reference;
    reference_enumerate(machine, s->prefixes, &reference);
    outcome result = SKIPPED;
    if (!reference.too_large) {
        if (reference.broken_promise.length > 0)
            mz_text_add(problem, "machine: %s\n", mz_text_string(&reference.broken_promise));
        try_variants(machine, machine, &reference, t, problem);
        try_refined(machine, &reference, seed, s, t, problem);
        t->traces += reference.traces.count;
        t->objects++;
        result = problem->length > 0 ? DISAGREES : AGREES;
    }
    if (result == DISAGREES || s->show) {
        mz_text text = {0};
        objects_write(machine, &text);
        printf("%s seed %llu, objects:\n%s%s\n", result == DISAGREES ? "FAILED" : "",
               (unsigned long long)seed, mz_text_string(&text), mz_text_string(problem));
        fflush(stdout);
        mz_text_release(&text);
    }
    reference_release(&reference);
    machine->class->destroy(machine);
    return result;
}

/* The same program with store buffers: what was an error still is one, and every algorithm that looks at
 * traces visits exactly those of the machine. */
static void try_buffers(mz_model *model, const reference_result *without, uint64_t seed, const settings *s,
                        tally *t, mz_text *problem)
{
    mz_search_options options = {.checks = MZ_FAILURES_ALL, .all_errors = true};
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_TSO);
    reference_result reference;
    size_t length = problem->length;
    reference_enumerate(machine, s->prefixes / 4, &reference);
    if (!reference.too_large) {
        if (reference.broken_promise.length > 0)
            mz_text_add(problem, "machine: %s\n", mz_text_string(&reference.broken_promise));
        if (variant_missing(&without->errors, &reference.errors) > 0)
            mz_text_add(problem, "some errors are gone\n");
        for (size_t i = 0; i < variant_count(); i++) {
            variant way = variant_at(i);
            if (!way.algorithm->reads_the_last)
                variant_try(&way, machine, machine, &reference, &t->variants, problem);
        }
        parts_try(machine, &mz_algorithm_optimal, &options, seed, &t->parts, problem);
        t->buffered++;
        t->buffered_traces += reference.traces.count;
    }
    if (problem->length > length)
        mz_text_add(problem, "with store buffers (--memory=tso)\n");
    reference_release(&reference);
    machine->class->destroy(machine);
}

/* One program through everything. */
static outcome try_everything(mz_model *model, size_t length, const settings *s, tally *t, mz_text *problem)
{
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
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
        try_refined(machine, &reference, length, s, t, problem);
        try_buffers(model, &reference, length, s, t, problem);
        t->traces += reference.traces.count;
        t->deadlocking += reference.errors.count > 0;
        t->complex += machine->complex_blocking;
        result = problem->length > 0 ? DISAGREES : AGREES;
    }
    reference_release(&reference);
    machine->class->destroy(machine);
    return result;
}

/* Several processes of which are alike, for that alone. */
static outcome try_symmetry(mz_model *model, const char *source, size_t length, const settings *s, tally *t,
                            mz_text *problem)
{
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
    bool is_small =
        orbits_try(machine, source, length, s->prefixes, &t->orbits, &t->variants, &t->parts, problem);
    machine->class->destroy(machine);
    return !is_small ? SKIPPED : problem->length > 0 ? DISAGREES : AGREES;
}

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
    outcome result = s->only_symmetry ? try_symmetry(model, source, length, s, t, problem)
                                      : try_everything(model, length, s, t, problem);
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
        } else if (strcmp(argv[i], "--objects") == 0) {
            s->only_objects = true;
        } else if (strcmp(argv[i], "--twins") == 0) {
            s->only_twins = true;
        } else if (strcmp(argv[i], "--symmetry") == 0) {
            s->only_symmetry = true;
        } else if (strcmp(argv[i], "--show") == 0) {
            s->show = true;
        } else if (strcmp(argv[i], "--print") == 0) {
            s->only_print = true;
        } else {
            fprintf(stderr, "usage: oracle [--seeds=N] [--from=K] [--seed=K] [--prefixes=N] [--objects | "
                            "--twins | --symmetry] [--show | --print]\n");
            return false;
        }
    }
    return true;
}

/* One model, and nothing else, for whoever wants to check it otherwise (test/suites/workers.py). */
static int print_model(uint64_t seed)
{
    mz_text source = {0};
    oracle_program *program = oracle_generate(seed);
    oracle_write(program, &source);
    fputs(mz_text_string(&source), stdout);
    mz_text_release(&source);
    oracle_program_destroy(program);
    return 0;
}

int main(int argc, char **argv)
{
    settings s = {.from = 1, .count = 2000, .prefixes = 20000};
    if (!parse_arguments(argc, argv, &s))
        return 2;
    if (s.only_print)
        return print_model(s.from);
    tally t = {0};
    for (uint64_t seed = s.from; seed < s.from + s.count && t.failed < 10; seed++) {
        oracle_program *program = s.only_symmetry ? oracle_generate_alike(seed) : oracle_generate(seed);
        mz_text problem = {0};
        if (s.show) {
            oracle_write(program, &problem);
            printf("seed %llu\n%s", (unsigned long long)seed, mz_text_string(&problem));
        }
        outcome result = s.only_objects || s.only_twins ? SKIPPED : try_generated(program, &s, &t, &problem);
        t.compared += result == AGREES;
        t.skipped += result == SKIPPED && !s.only_twins;
        if (result == DISAGREES) {
            t.failed++;
            report_failure(seed, program, &s);
        }
        mz_text_clear(&problem);
        if (!s.only_twins && !s.only_symmetry)
            t.failed += try_objects(seed, &s, &t, &problem) == DISAGREES;
        mz_text_clear(&problem);
        bool is_small = !s.only_symmetry && model_twin_compare(seed, s.prefixes, &t.variants, &problem);
        t.twins += is_small;
        t.compared += s.only_twins && is_small;
        t.skipped += s.only_twins && !is_small;
        if (problem.length > 0) {
            t.failed++;
            printf("FAILED seed %llu, twin:\n%s\n", (unsigned long long)seed, mz_text_string(&problem));
        }
        mz_text_release(&problem);
        oracle_program_destroy(program);
    }
    printf("oracle: %llu programs agree (%llu traces, %llu with errors, %llu with complex waiting; %llu "
           "times traces instead of observations; %llu executions blocked; %llu levels of preemptions or "
           "delays), %llu "
           "too large, %llu failed\n",
           (unsigned long long)t.compared, (unsigned long long)t.traces, (unsigned long long)t.deadlocking,
           (unsigned long long)t.complex, (unsigned long long)t.variants.finer,
           (unsigned long long)t.variants.blocked, (unsigned long long)t.levels,
           (unsigned long long)t.skipped, (unsigned long long)t.failed);
    printf("classes: %llu programs, of which %llu on objects, have %llu traces with them\n",
           (unsigned long long)t.refined, (unsigned long long)t.objects,
           (unsigned long long)t.refined_traces);
    printf("store buffers: %llu programs have %llu traces with them\n", (unsigned long long)t.buffered,
           (unsigned long long)t.buffered_traces);
    printf("twins: %llu models have the traces that they have by definition\n", (unsigned long long)t.twins);
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
    printf("symmetry: %llu programs, %llu of them with fewer traces: %llu instead of %llu, in %llu orbits\n",
           (unsigned long long)t.orbits.programs, (unsigned long long)t.orbits.reduced,
           (unsigned long long)t.orbits.with, (unsigned long long)t.orbits.without,
           (unsigned long long)t.orbits.orbits);
    size_t untested = s.count >= ENOUGH && !s.only_twins && !s.only_symmetry ? count_untested(&t) : 0;
    return untested > 0 || t.failed > 0 ||
           t.compared + (s.only_objects ? t.objects
                         : s.only_twins ? t.twins
                                        : 0) ==
               0;
}
