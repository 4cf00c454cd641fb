#include "oracle/native_twins.h"

#include <stdlib.h>
#include <string.h>

#include "algo/algorithm.h"
#include "oracle/native_visits.h"
#include "program/program.h"

enum { EVENTS_OF_FULL = 80000 };

static const struct {
    const mz_algorithm *algorithm;
    bool sleeps, once;
} ways[] = {{&mz_algorithm_source, false, true},  {&mz_algorithm_optimal, false, true},
            {&mz_algorithm_eager, false, true},   {&mz_algorithm_eager_short, false, true},
            {&mz_algorithm_dpor, true, true},     {&mz_algorithm_dpor, false, false},
            {&mz_algorithm_bounded, false, true}, {&mz_algorithm_dc, false, true},
            {&mz_algorithm_rf, false, true},      {&mz_algorithm_lazy, false, false}};

static bool has_error(const string_set *errors, mz_failure_kind kind)
{
    const char *name = mz_failure_name(kind);
    for (size_t i = 0; i < errors->capacity; i++)
        if (errors->strings[i] && strncmp(errors->strings[i], name, strlen(name)) == 0)
            return true;
    return false;
}

/* What everybody could see: a race, or else deadlocks, failed assertions, outcomes. */
static void compare_errors(const twin_result *twin, const string_set *errors, const char *who, mz_text *out)
{
    size_t others = errors->count;
    bool race = has_error(errors, MZ_FAIL_RACE), deadlock = has_error(errors, MZ_FAIL_DEADLOCK);
    if (race != twin->race)
        mz_text_add(out, " %s: %s\n", who, race ? "a race that does not exist" : "a race is missed");
    if (race || twin->race)
        return;
    if (deadlock != twin->deadlock)
        mz_text_add(out, " %s: %s\n", who,
                    deadlock ? "a deadlock that does not exist" : "a deadlock is missed");
    others -= deadlock;
    for (uint32_t i = 0; i < TWIN_OUTCOMES; i++) {
        bool found = false;
        for (size_t k = 0; k < errors->capacity && !found; k++) {
            const char *number = errors->strings[k] ? strstr(errors->strings[k], "outcome ") : NULL;
            found = number && (uint32_t)atoi(number + strlen("outcome ")) == i;
        }
        others -= found;
        if (found != twin->outcomes[i])
            mz_text_add(out, " %s: outcome %u %s\n", who, i, found ? "does not exist" : "is missed");
    }
    size_t failing = 0;
    for (uint32_t t = 0; t < TWIN_THREADS; t++)
        failing += (size_t)__builtin_popcountll(twin->failing[t]);
    if (others != failing) {
        mz_text_add(out, " %s: %zu assertions fail, %zu should:", who, others, failing);
        for (size_t k = 0; k < errors->capacity; k++)
            if (errors->strings[k] && !strstr(errors->strings[k], "outcome "))
                mz_text_add(out, " %.*s;", (int)errors->lengths[k], errors->strings[k]);
        mz_text_add(out, "\n");
    }
}

/* Which relation of the twin's the refinements stand for. */
static uint32_t relation_of(mz_relation relation)
{
    return (relation & MZ_REFINES_CLASSES ? TWIN_CLASSES : 0u) |
           (relation & MZ_REFINES_LOCKS ? TWIN_SECTIONS : 0u);
}

static void compare_counts(const task *the, const visits *full, mz_relation relation, mz_text *out)
{
    const twin_result *twin = the->twin;
    uint64_t classes = twin->classes[relation_of(relation)], traces = full->traces.count;
    /* Of threads that fail in a section others may not have seen the beginning. */
    bool sections = relation & MZ_REFINES_LOCKS, less = sections && twin->fails_in_section;
    if (traces > classes)
        oracle_shared->coarser += sections;
    if ((traces < classes && !less) || (traces > classes && !sections))
        mz_text_add(out, " full: %llu traces, by definition %llu\n", (unsigned long long)traces,
                    (unsigned long long)classes);
}

/* False if it is to begin again. */
static bool compare_relation(const task *the, mz_machine *machine, mz_relation relation, bool *too_large,
                             mz_text *out)
{
    static bool ordered[MOST_LOCATIONS];
    visits full = {.ordered = ordered}, v = {.ordered = ordered};
    mz_search_options options = {.checks = the->checks, .limits.events = EVENTS_OF_FULL};
    machine->relation = relation;
    mz_native_prepare(machine);
    bool settled = visits_explore(machine, &mz_algorithm_full, options, visits_observe, &full);
    if (settled && !full.finished && !the->twin->race)
        *too_large = true;
    if (settled && full.finished) {
        compare_errors(the->twin, &full.errors, "full", out);
        if (!the->twin->race)
            compare_counts(the, &full, relation, out);
    }
    for (size_t i = 0; settled && !*too_large && i < sizeof ways / sizeof *ways; i++) {
        const mz_algorithm *algorithm = ways[i].algorithm;
        if ((algorithm->refinements & relation) != relation || algorithm->equivalence == MZ_OBSERVATION)
            continue;
        visits_clear(&v);
        options.sleep_sets = ways[i].sleeps;
        settled = visits_explore(machine, algorithm, options, visits_observe, &v);
        if (!settled || !v.finished)
            continue;
        compare_errors(the->twin, &v.errors, algorithm->name, out);
        if (!the->twin->race)
            visits_compare(algorithm, &full, &v, ways[i].once, out);
    }
    visits_clear(&full);
    visits_clear(&v);
    return settled;
}

bool twins_compare(const task *the, mz_machine *machine, mz_text *out)
{
    static const mz_relation relations[] = {MZ_RELATION_FINEST, MZ_REFINES_CLASSES, MZ_REFINES_LOCKS,
                                            MZ_RELATION_PUBLISHED};
    bool too_large = false;
    for (size_t i = 0; i < sizeof relations / sizeof *relations && !too_large; i++) {
        mz_text wrong = {0};
        do
            mz_text_clear(&wrong);
        while (!compare_relation(the, machine, relations[i], &too_large, &wrong));
        if (wrong.length > 0) {
            mz_text_add(out, " with ");
            mz_relation_words(relations[i], out);
            mz_text_add(out, "\n%s", mz_text_string(&wrong));
        }
        mz_text_release(&wrong);
    }
    return !too_large;
}
