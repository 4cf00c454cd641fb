/* Compares the search over graphs with brute force from the axioms, on random little programs: under each
 * memory model the same graphs, none twice; in one go and in parts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "algo/algorithm.h"
#include "oracle/weak/machine.h"
#include "oracle/weak/reference.h"
#include "search/frontier.h"

typedef struct visits {
    weak_graphs found;
    bool may_be_redundant; /* who was overtaken at a semaphore goes no further */
    uint64_t repeated, others, redundant;
    uint64_t pause_in; /* so many executions; 0: never */
    int how;
} visits;

static void observe(void *context, mz_search *search, mz_leaf leaf)
{
    visits *v = context;
    mz_text text = {0};
    weak_machine_graph(search->machine, &text);
    if (leaf == MZ_LEAF_COMPLETE)
        v->repeated += !string_set_add(&v->found.complete, mz_text_string(&text), text.length);
    else if (leaf == MZ_LEAF_BLOCKED && v->may_be_redundant)
        v->redundant++;
    else if (leaf == MZ_LEAF_DEADLOCK || leaf == MZ_LEAF_PRUNED)
        string_set_add(&v->found.blocked, mz_text_string(&text), text.length);
    else
        v->others++;
    mz_text_release(&text);
    if (v->pause_in > 0 && --v->pause_in == 0)
        search->pause = v->how;
}

static uint64_t missing(const string_set *all, const string_set *found, const char *what)
{
    uint64_t count = 0;
    for (size_t i = 0; i < all->capacity; i++)
        if (all->strings[i] && !string_set_has(found, all->strings[i], all->lengths[i]) && count++ == 0)
            printf("  %s: %s\n", what, all->strings[i]);
    return count;
}

static const mz_memory memories[] = {MZ_MEMORY_SC, MZ_MEMORY_TSO, MZ_MEMORY_RC11};

static void explore(const weak_program *program, int model, visits *v)
{
    mz_machine *machine = weak_machine_create(program);
    mz_search search;
    mz_search_init(&search, machine, &(mz_search_options){.all_errors = true, .memory = memories[model]});
    search.observe = observe;
    search.observe_context = v;
    mz_algorithm_run(mz_find_algorithm("graph"), &search);
    v->others += search.incomplete && !search.is_vacuous;
    mz_search_release(&search);
    machine->class->destroy(machine);
}

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return mz_mix64(*random) % below;
}

/* As bytes, and back. */
static void write_and_read(mz_frontier *f, visits *v)
{
    mz_bytes bytes = {0};
    mz_frontier copy;
    mz_frontier_write(f, &bytes);
    mz_byte_reader reader = {.data = bytes.data, .length = bytes.length};
    if (mz_frontier_read(&reader, &copy)) {
        mz_frontier_release(f);
        *f = copy;
    } else {
        v->others++;
    }
    mz_bytes_release(&bytes);
}

/* Interrupted again and again, each item in a search and with a machine of its own, in any order. */
static void explore_in_parts(const weak_program *program, int model, uint64_t seed, visits *v)
{
    mz_frontier f;
    uint64_t random = seed, items = 0;
    mz_frontier_begin(&f);
    while (f.count > 0 && v->others == 0) {
        mz_machine *machine = weak_machine_create(program);
        mz_work_item item = mz_frontier_take(&f, draw(&random, f.count));
        mz_search search;
        mz_search_options options = {.all_errors = true, .memory = memories[model]};
        v->pause_in = draw(&random, 4) ? 1 + draw(&random, 2 + items) : 0;
        v->how = draw(&random, 2) ? MZ_PAUSE_DISSOLVE : MZ_PAUSE_SPLIT;
        if (draw(&random, 4) == 0) /* in the middle of an execution */
            options.limits.events = 1 + draw(&random, 20 + items);
        mz_search_init(&search, machine, &options);
        search.observe = observe;
        search.observe_context = v;
        mz_frontier_explore(&f, &search, mz_find_algorithm("graph")->run, &item);
        v->others += f.refused.length > 0 || f.lost;
        mz_search_release(&search);
        mz_work_item_release(&item);
        machine->class->destroy(machine);
        write_and_read(&f, v);
        items++;
    }
    mz_frontier_release(&f);
}

static bool agrees(const weak_program *program, weak_kind kind, const weak_graphs *reference, int model,
                   uint64_t parts)
{
    visits v = {.may_be_redundant = kind == WEAK_SEMAPHORES};
    if (parts > 0)
        explore_in_parts(program, model, parts, &v);
    else
        explore(program, model, &v);
    uint64_t wrong = v.repeated + v.others;
    wrong += missing(&reference->complete, &v.found.complete, "missed");
    wrong += missing(&v.found.complete, &reference->complete, "not consistent");
    wrong += missing(&reference->blocked, &v.found.blocked, "missed, blocked");
    wrong += missing(&v.found.blocked, &reference->blocked, "not consistent, blocked");
    if (wrong > 0)
        printf("%s%s: %" PRIu64 " twice, %" PRIu64 " otherwise, %zu of %zu graphs\n",
               mz_memory_name(memories[model]), parts > 0 ? " in parts" : "", v.repeated, v.others,
               v.found.complete.count, reference->complete.count);
    string_set_release(&v.found.complete);
    string_set_release(&v.found.blocked);
    return wrong == 0;
}

typedef struct tally {
    uint64_t agree, too_large, failed, graphs[WEAK_MODELS];
} tally;

static void compare(uint64_t seed, weak_kind kind, bool show, tally *sum)
{
    weak_program program;
    weak_graphs reference[WEAK_MODELS] = {0};
    weak_generate(seed, kind, &program);
    if (show)
        weak_print(&program, stdout);
    if (!weak_reference(&program, reference)) {
        sum->too_large++;
    } else {
        bool right = true;
        for (int m = 0; m < WEAK_MODELS; m++) {
            right &= agrees(&program, kind, &reference[m], m, 0) &&
                     agrees(&program, kind, &reference[m], m, seed + 1);
            sum->graphs[m] += reference[m].complete.count;
        }
        if (!right) {
            printf("seed %" PRIu64 " of %s:\n", seed, weak_kind_names[kind]);
            weak_print(&program, stdout);
        }
        sum->failed += !right;
        sum->agree += right;
    }
    for (int m = 0; m < WEAK_MODELS; m++) {
        string_set_release(&reference[m].complete);
        string_set_release(&reference[m].blocked);
    }
}

/* In C, with the numbers of graphs that there are; nothing if some end blocked, or there are too many. */
static int write_as_c(uint64_t seed, weak_kind kind)
{
    weak_program program;
    weak_graphs reference[WEAK_MODELS] = {0};
    weak_generate(seed, kind, &program);
    if (!weak_reference(&program, reference) || reference[WEAK_RC11].blocked.count > 0)
        return 0;
    printf("// %s, sc: %zu tso: %zu rc11: %zu\n", weak_kind_names[kind], reference[WEAK_SC].complete.count,
           reference[WEAK_TSO].complete.count, reference[WEAK_RC11].complete.count);
    weak_write_c(&program, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t from = 0, seeds = 1000;
    bool show = false, as_c = false;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--from=", 7) == 0)
            from = strtoull(argv[i] + 7, NULL, 10);
        else if (strncmp(argv[i], "--seeds=", 8) == 0)
            seeds = strtoull(argv[i] + 8, NULL, 10);
        else if (strncmp(argv[i], "--kind=", 7) == 0)
            only = argv[i] + 7;
        else if (strcmp(argv[i], "--c") == 0)
            as_c = true;
        else if (strcmp(argv[i], "--show") == 0)
            show = true;
        else
            return fprintf(stderr, "oracle_weak [--from=K] [--seeds=N] [--kind=KIND] [--show] [--c]\n"), 2;
    }
    if (as_c)
        return write_as_c(from, (weak_kind)(from % WEAK_KINDS));
    tally t = {0};
    for (uint64_t seed = from; seed < from + seeds && t.failed < 10; seed++) {
        weak_kind kind = (weak_kind)(seed % WEAK_KINDS);
        for (int k = 0; only && k < WEAK_KINDS; k++)
            if (strcmp(only, weak_kind_names[k]) == 0)
                kind = (weak_kind)k;
        compare(seed, kind, show, &t);
    }
    printf("graphs: %" PRIu64 " sc, %" PRIu64 " tso, %" PRIu64 " rc11\n", t.graphs[0], t.graphs[1],
           t.graphs[2]);
    printf("oracle: %" PRIu64 " programs agree, %" PRIu64 " too large, %" PRIu64 " failed\n", t.agree,
           t.too_large, t.failed);
    return t.failed > 0;
}
