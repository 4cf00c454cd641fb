#include "oracle/orbits.h"

#include <stdlib.h>
#include <string.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "oracle/reference.h"

/* ---- who may be renamed: read from the text of the model, and from nothing else -------------------------
 */

typedef struct texts {
    uint32_t count;
    const char *begin[MOST_THREADS];
    size_t length[MOST_THREADS];
} texts;

/* As oracle_write() writes it: a process is the lines between one that is "[" and one that is "]"; "<{3" in
 * front of it: there are three of them. */
static void read_texts(const char *source, texts *found)
{
    uint32_t copies = 1;
    const char *begin = NULL;
    found->count = 0;
    for (const char *line = source; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "<{", 2) == 0)
            copies = (uint32_t)strtoul(line + 2, NULL, 10);
        if (strncmp(line, "[\n", 2) == 0)
            begin = line;
        if (strncmp(line, "]\n", 2) != 0)
            continue;
        for (; copies > 0 && found->count < MOST_THREADS; copies--) {
            found->begin[found->count] = begin;
            found->length[found->count++] = (size_t)(line - begin);
        }
        copies = 1;
    }
}

/* Each process reads its own number as `pid`. */
static bool says_pid(const texts *t, uint32_t p)
{
    const char *pid = strstr(t->begin[p], "pid");
    return pid && pid < t->begin[p] + t->length[p];
}

static bool same_text(const texts *t, uint32_t p, uint32_t q)
{
    return t->length[p] == t->length[q] && memcmp(t->begin[p], t->begin[q], t->length[p]) == 0 &&
           !says_pid(t, p);
}

/* ---- orbits ----------------------------------------------------------------------------------------------
 */

typedef struct orbits {
    texts processes;
    uint32_t threads;
    string_set orbits, traces; /* of the traces: the least name under all renamings, and the own one */
} orbits;

/* The trace with other numbers of threads, and without causes: there are none in models. */
static void add_renamed(const orbits *o, const reference_prefix *trace, const uint32_t *names, mz_text *out)
{
    reference_prefix renamed = {.initial_choice_count = trace->initial_choice_count};
    memcpy(renamed.initial_choices, trace->initial_choices, sizeof renamed.initial_choices);
    for (uint32_t i = 0; i < trace->length; i++) {
        const reference_event *e = &trace->events[i];
        mz_operation operation = {.accesses = e->accesses, .access_count = e->access_count};
        mz_choice choices[MOST_CHOICES] = {{0}};
        for (uint32_t c = 0; c < e->choice_count; c++)
            choices[c].value = e->choices[c];
        reference_append(&renamed, names[e->thread], &operation, choices, e->choice_count);
    }
    reference_identity(&renamed, o->threads, out);
}

static int compare_choices(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void find_least(const orbits *o, const reference_prefix *trace, uint32_t *names, uint32_t thread,
                       mz_text *least)
{
    if (thread == o->threads) {
        mz_text name = {0};
        add_renamed(o, trace, names, &name);
        size_t common = name.length < least->length ? name.length : least->length;
        int order = memcmp(mz_text_string(&name), mz_text_string(least), common);
        if (least->length == 0 || order < 0 || (order == 0 && name.length < least->length)) {
            mz_text_clear(least);
            mz_text_add_bytes(least, mz_text_string(&name), name.length);
        }
        mz_text_release(&name);
        return;
    }
    for (uint32_t name = 0; name < o->threads; name++) {
        bool taken = false;
        for (uint32_t other = 0; other < thread; other++)
            taken |= names[other] == name;
        names[thread] = name;
        if (!taken && (name == thread || same_text(&o->processes, thread, name)))
            find_least(o, trace, names, thread + 1, least);
    }
}

/* Whose choices those in the beginning are is not known here: as a bag. */
static void show(void *context, const reference_prefix *trace)
{
    orbits *o = context;
    uint32_t names[MOST_THREADS];
    mz_text name = {0};
    for (uint32_t t = 0; t < o->threads; t++)
        names[t] = t;
    add_renamed(o, trace, names, &name);
    string_set_add(&o->traces, mz_text_string(&name), name.length);
    mz_text_clear(&name);
    reference_prefix sorted;
    memcpy(&sorted, trace, offsetof(reference_prefix, events) + trace->length * sizeof *trace->events);
    qsort(sorted.initial_choices, sorted.initial_choice_count, sizeof *sorted.initial_choices,
          compare_choices);
    find_least(o, &sorted, names, 0, &name);
    string_set_add(&o->orbits, mz_text_string(&name), name.length);
    mz_text_release(&name);
}

static void release(orbits *o)
{
    string_set_release(&o->orbits);
    string_set_release(&o->traces);
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

static void enumerate(mz_machine *machine, mz_relation relation, const texts *processes, size_t most,
                      reference_result *result, orbits *o)
{
    *o = (orbits){.processes = *processes, .threads = machine->thread_capacity};
    machine->relation = relation;
    machine->refined = MZ_RELATION_PUBLISHED;
    reference_enumerate_showing(machine, most, result, show, o);
}

static void compare(const orbits *without, const orbits *with, const reference_result *result,
                    mz_text *problem)
{
    size_t missed = variant_missing(&without->orbits, &with->orbits),
           invented = variant_missing(&with->traces, &without->traces);
    if (missed + invented > 0)
        mz_text_add(problem, "of the exchanged threads %zu orbits are missed, %zu traces do not exist\n",
                    missed, invented);
    if (with->traces.count != result->traces.count)
        mz_text_add(problem, "%zu traces count as %zu\n", with->traces.count, result->traces.count);
    if (result->broken_promise.length > 0)
        mz_text_add(problem, "machine with peers: %s\n", mz_text_string(&result->broken_promise));
}

static void try_algorithms(mz_machine *machine, const reference_result *reference, uint64_t seed,
                           variant_tally *variants, parts_tally *parts, mz_text *problem)
{
    mz_search_options options = {
        .checks = MZ_FAILURES_ALL, .all_errors = true, .relation = machine->relation, .runs = 30};
    for (size_t i = 0; i < variant_count(); i++) {
        variant way = variant_at(i);
        if ((way.algorithm->refinements & machine->relation) == machine->relation && !way.stateful &&
            !way.object_dependency)
            variant_try(&way, machine, machine, reference, variants, problem);
    }
    mz_relation relation = machine->relation;
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (!mz_algorithms[i]->in_one_piece && (mz_algorithms[i]->refinements & relation) == relation)
            parts_try(machine, mz_algorithms[i], &options, seed + i, parts, problem);
}

bool orbits_try(mz_machine *machine, const char *source, uint64_t seed, size_t most_prefixes,
                orbit_tally *tally, variant_tally *variants, parts_tally *parts, mz_text *problem)
{
    texts processes;
    bool is_small = true;
    read_texts(source, &processes);
    if (processes.count != machine->thread_capacity)
        abort();
    for (int classes = 0; classes < 2 && is_small; classes++) {
        mz_relation coarse = classes ? MZ_REFINES_CLASSES : MZ_RELATION_PUBLISHED;
        reference_result plain, refined;
        orbits without, with;
        enumerate(machine, coarse, &processes, most_prefixes, &plain, &without);
        enumerate(machine, coarse | MZ_REFINES_SYMMETRY, &processes, most_prefixes, &refined, &with);
        is_small = !plain.too_large && !refined.too_large;
        if (is_small) {
            compare(&without, &with, &refined, problem);
            try_algorithms(machine, &refined, seed, variants, parts, problem);
            tally->programs += !classes;
            tally->reduced += !classes && refined.traces.count < plain.traces.count;
            tally->without += plain.traces.count;
            tally->with += refined.traces.count;
            tally->orbits += without.orbits.count;
        }
        reference_release(&plain);
        reference_release(&refined);
        release(&without);
        release(&with);
    }
    machine->relation = MZ_RELATION_PUBLISHED;
    return is_small;
}
