#include <inttypes.h>
#include <string.h>

#include "algo/algorithm.h"

const mz_algorithm *const mz_algorithms[] = {
#define MZ_X(name) &name,
    MZ_ALGORITHMS(MZ_X)
#undef MZ_X
};

const size_t mz_algorithm_count = sizeof mz_algorithms / sizeof *mz_algorithms;

const mz_algorithm *mz_find_algorithm(const char *name)
{
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (strcmp(mz_algorithms[i]->name, name) == 0)
            return mz_algorithms[i];
    return strcmp(mz_algorithm_graph.name, name) == 0 ? &mz_algorithm_graph : NULL;
}

bool mz_algorithm_takes(const mz_algorithm *algorithm, const mz_option *option)
{
    for (size_t i = 0; algorithm->options && algorithm->options[i]; i++)
        if (algorithm->options[i] == option)
            return true;
    return false;
}

const mz_algorithm *const mz_default_algorithm = &mz_algorithm_optimal;
const mz_algorithm *const mz_plan_algorithm = &mz_algorithm_source;
const mz_algorithm *const mz_branch_algorithm = &mz_algorithm_source;
const mz_algorithm *const mz_sampling_algorithm = &mz_algorithm_mix;

const mz_algorithm *mz_default_algorithm_for(const mz_machine *machine)
{
    return machine->has_boundaries ? &mz_algorithm_source : mz_default_algorithm;
}

/* A limit, or an interrupt, has its own words. Of a sample that was pruned it does not follow that all is. */
static void say_that_it_is_a_sample(const mz_algorithm *algorithm, mz_search *s)
{
    uint64_t executions = s->statistics.executions;
    if ((s->incomplete && !s->is_vacuous) || s->problem_count > 0)
        return;
    s->incomplete = true;
    s->is_sample = !s->is_vacuous;
    mz_text_clear(&s->reason);
    mz_text_add(&s->reason, "%" PRIu64 " %s execution%s, %s", executions, algorithm->samples,
                executions == 1 ? "" : "s",
                s->is_vacuous ? "none came to its end: assumptions prune them" : "no error found");
}

void mz_algorithm_prepare(const mz_algorithm *algorithm, mz_machine *machine, mz_relation asked,
                          mz_memory memory)
{
    bool grows = algorithm->grows_graphs && memory >= MZ_MEMORY_TSO && machine->class->would_write;
    bool weak = algorithm->weak_memory || grows;
    machine->by_observation = weak || algorithm->equivalence == MZ_OBSERVATION;
    machine->relation = weak ? 0 : asked & algorithm->refinements;
    machine->weak = machine->makes_rounds = weak; /* what is in memory ends no round then */
}

void mz_algorithm_set_relation(const mz_algorithm *algorithm, mz_search *search)
{
    search->machine->relation = search->machine->weak ? 0 : search->options.relation & algorithm->refinements;
    if (search->options.object_dependency) /* any two operations on one object depend */
        search->machine->relation &= ~(mz_relation)MZ_REFINES_CLASSES;
}

void mz_algorithm_run(const mz_algorithm *algorithm, mz_search *search)
{
    mz_algorithm_set_relation(algorithm, search);
    algorithm->run(search);
    mz_algorithm_close(algorithm, search);
}

void mz_algorithm_close(const mz_algorithm *algorithm, mz_search *search)
{
    mz_search_close(search);
    if (algorithm->samples)
        say_that_it_is_a_sample(algorithm, search);
}
