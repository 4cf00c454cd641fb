#include "oracle/variants.h"

#include <string.h>

#include "base/memory.h"
#include "machine/identity.h"

/* What an algorithm has visited. */
typedef struct visits {
    string_set traces, finals, observations;
    const mz_machine *model; /* whose final states count: not which constraints have been kept */
    mz_hash_set hashes;
    uint32_t ordered;
    uint64_t repeated, observed_again;
    bool too_long, hashes_differ, wants_finals, wants_observations;
    reference_prefix prefix; /* of the execution at hand: too large to be cleared for each */
    mz_text bytes;
} visits;

/* Is it the first time? */
static bool add_bytes(visits *v, string_set *set)
{
    bool is_new = string_set_add(set, mz_text_string(&v->bytes), v->bytes.length);
    mz_text_clear(&v->bytes);
    return is_new;
}

static void observe(void *context, mz_search *search, mz_leaf leaf)
{
    visits *v = context;
    const mz_execution *x = search->execution;
    if (leaf == MZ_LEAF_BLOCKED || leaf == MZ_LEAF_PRUNED || leaf == MZ_LEAF_VISITED)
        return;
    if (v->wants_finals) {                      /* few traces, but all of their final states */
        mz_search_return_to(search, x->length); /* a counterexample may have moved the machine */
        reference_add_final(&v->finals, v->model);
    }
    reference_prefix *prefix = &v->prefix;
    prefix->length = 0;
    prefix->initial_choice_count = (uint32_t)x->initial_choices;
    for (size_t i = 0; i < x->initial_choices; i++)
        prefix->initial_choices[i] = x->choices[i].value;
    for (size_t i = 0; i < x->length; i++) {
        const mz_event *e = &x->events[i];
        mz_access accesses[MOST_ACCESSES];
        for (uint32_t j = 0; j < e->access_count && j < MOST_ACCESSES; j++)
            accesses[j] = x->records[e->first_access + j].access;
        bool constrained =
            v->model != search->machine; /* constraints are causes, of which the model knows none */
        mz_operation operation = {.access_count = e->access_count,
                                  .accesses = accesses,
                                  .cause_count = constrained ? 0 : e->cause_count,
                                  .causes = x->causes + e->first_cause};
        if (!reference_append(prefix, e->thread, &operation, x->choices + e->first_choice, e->choice_count)) {
            v->too_long = true;
            return;
        }
    }
    if (v->wants_observations) {
        reference_observation(prefix, x->thread_capacity, v->ordered, &v->bytes);
        v->observed_again += !add_bytes(v, &v->observations);
    }
    reference_identity(prefix, x->thread_capacity, &v->bytes);
    bool is_new = add_bytes(v, &v->traces);
    bool new_hash = mz_hash_set_add(&v->hashes, mz_identity(x));
    v->hashes_differ |= is_new != new_hash;
    v->repeated += !is_new;
}

size_t variant_missing(const string_set *from, const string_set *in)
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
size_t variant_count(void)
{
    size_t count = mz_algorithm_count + sizeof MORE_VARIANTS / sizeof *MORE_VARIANTS;
    return count;
}

variant variant_at(size_t i)
{
    return i < mz_algorithm_count ? (variant){.algorithm = mz_algorithms[i]}
                                  : MORE_VARIANTS[i - mz_algorithm_count];
}

const char *variant_options(const variant *way)
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
    size_t missed = variant_missing(&reference->observations, &v->observations);
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
    size_t extra = variant_missing(&v->traces, &reference->traces);
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

bool variant_try(const variant *way, mz_machine *machine, const mz_machine *model,
                 const reference_result *reference, variant_tally *t, mz_text *problem)
{
    visits v = {.ordered = reference->ordered,
                .model = model,
                .wants_finals = way->stateful || machine->relation != MZ_RELATION_PUBLISHED,
                .wants_observations = visits_observations(way)};
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
    options.runs = 50; /* of those that sample: each program is small, and there are many */
    options.relation = machine->relation;
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
        size_t missed = all ? variant_missing(&reference->traces, &v.traces) : 0;
        size_t extra = way->object_dependency ? 0 : variant_missing(&v.traces, &reference->traces);
        size_t finals = v.wants_finals ? variant_missing(&reference->finals, &v.finals) +
                                             variant_missing(&v.finals, &reference->finals)
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
        bool may_block = machine->complex_blocking || (machine->relation && machine->crowd_blocking);
        if (way->algorithm->optimal && search.statistics.blocked && !may_block)
            mz_text_add(&wrong, "  %llu executions blocked\n", (unsigned long long)search.statistics.blocked);
        compare_errors(&search, reference, true, &wrong);
    }
    if (once)
        t->blocked += search.statistics.blocked;
    t->finer += search.is_finer;
    if (wrong.length > 0)
        mz_text_add(problem, "%s%s:\n%s", way->algorithm->name, variant_options(way), mz_text_string(&wrong));
    mz_text_release(&wrong);
    mz_search_release(&search);
    string_set_release(&v.traces);
    string_set_release(&v.observations);
    string_set_release(&v.finals);
    mz_hash_set_release(&v.hashes);
    mz_text_release(&v.bytes);
    return compared;
}
