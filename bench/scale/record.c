/* The exploration tree of a model, cut into pieces that could be handed to other workers:
 *
 *     scale_record [-a ALGORITHM] [--grain=N] FILE.dlang [-DNAME=VALUE …]
 *
 * Each piece is a work item (search/items/work_item.h). It is explored for N executions and then dissolves: what waits
 * below it becomes its children. One line for each piece, in the order in which one worker explores them:
 *
 *     number  parent  executions  events  steps of its prefix  seconds
 *
 * and, before them, what handing over costs on this machine:
 *
 *     # event SECONDS     one step of an execution, as in the whole search
 *     # item SECONDS      an item is written down, read back, and its search begun and ended
 *     # message SECONDS   half a round trip of a byte between two processes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "model/model.h"
#include "search/frontier.h"

typedef struct piece {
    uint64_t parent, executions, events, prefix;
    double seconds;
} piece;

typedef struct recording {
    mz_machine *machine;
    const mz_algorithm *algorithm;
    uint64_t grain;
    piece *pieces;
    size_t count, capacity;
    uint64_t left; /* executions until the piece at hand dissolves */
} recording;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void count_execution(void *context, mz_search *s, mz_leaf leaf)
{
    recording *r = context;
    (void)leaf;
    if (--r->left == 0)
        s->pause = MZ_PAUSE_DISSOLVE;
}

static void search_item(recording *r, mz_frontier *below, const mz_work_item *item, piece *p)
{
    mz_search search;
    double began = processor_seconds();
    mz_search_init(&search, r->machine, &(mz_search_options){.checks = MZ_FAILURES_ALL, .all_errors = true});
    search.observe = count_execution;
    search.observe_context = r;
    r->left = r->grain;
    mz_frontier_explore(below, &search, r->algorithm->run, item);
    p->executions = search.statistics.executions;
    p->events = search.statistics.events;
    p->prefix = item->prefix.length;
    mz_search_release(&search);
    p->seconds = processor_seconds() - began;
}

/* The piece, and all below it, depth first. False if the search cannot be cut like this. */
static bool record(recording *r, const mz_work_item *item, uint64_t parent)
{
    mz_frontier below = {0};
    piece p = {.parent = parent};
    search_item(r, &below, item, &p);
    uint64_t number = r->count;
    r->pieces = mz_grow(r->pieces, &r->capacity, r->count + 1, sizeof *r->pieces);
    r->pieces[r->count++] = p;
    bool good = !below.lost && below.refused.length == 0 && below.message_count == 0;
    while (good && below.count > 0) {
        mz_work_item next = mz_frontier_take(&below, below.count - 1);
        good = record(r, &next, number);
        mz_work_item_release(&next);
    }
    mz_frontier_release(&below);
    return good;
}

/* ---- what it costs to hand something over ---------------------------------------------------------------
 */

static double seconds_of_message(void)
{
    enum { ROUNDS = 2000 };
    int there[2], back[2];
    char byte = 0;
    if (pipe(there) != 0 || pipe(back) != 0)
        return 0;
    pid_t other = fork();
    if (other == 0) {
        while (read(there[0], &byte, 1) == 1 && byte == 0 && write(back[1], &byte, 1) == 1)
            ;
        _exit(0);
    }
    double best = 1;
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
            break;
        clock_gettime(CLOCK_MONOTONIC, &after);
        double seconds = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
        best = seconds < best ? seconds : best; /* on a busy machine the others are others' time */
    }
    byte = 1;
    (void)!write(there[1], &byte, 1);
    waitpid(other, NULL, 0);
    return best / 2;
}

/* An item without anything to do in it, as far as there is one: what is left is what it costs to be one. */
static double seconds_of_item(recording *r, const mz_work_item *item)
{
    enum { ROUNDS = 200 };
    double began = processor_seconds();
    for (int i = 0; i < ROUNDS; i++) {
        mz_bytes bytes = {0};
        mz_work_item copy = {0};
        mz_frontier below = {0};
        piece p;
        mz_work_item_write(item, &bytes);
        mz_byte_reader reader = {.data = bytes.data, .length = bytes.length};
        if (!mz_work_item_read(&reader, &copy))
            break;
        uint64_t grain = r->grain;
        r->grain = 1;
        search_item(r, &below, &copy, &p);
        r->grain = grain;
        mz_frontier_release(&below);
        mz_work_item_release(&copy);
        mz_bytes_release(&bytes);
    }
    return (processor_seconds() - began) / ROUNDS;
}

static void print(recording *r, const mz_work_item *root)
{
    uint64_t events = 0;
    double seconds = 0;
    for (size_t i = 0; i < r->count; i++) {
        events += r->pieces[i].events;
        seconds += r->pieces[i].seconds;
    }
    printf("# event %.3g\n", seconds / (double)events);
    printf("# item %.3g\n", seconds_of_item(r, root));
    printf("# message %.3g\n", seconds_of_message());
    for (size_t i = 0; i < r->count; i++) {
        const piece *p = &r->pieces[i];
        printf("%zu\t%llu\t%llu\t%llu\t%llu\t%.3g\n", i, (unsigned long long)p->parent,
               (unsigned long long)p->executions, (unsigned long long)p->events, (unsigned long long)p->prefix,
               p->seconds);
    }
}

static int usage(void)
{
    fprintf(stderr, "usage: scale_record [-a ALGORITHM] [--grain=N] FILE.dlang [-DNAME=VALUE …]\n");
    return 2;
}

int main(int argc, char **argv)
{
    recording r = {.algorithm = mz_default_algorithm, .grain = 64};
    mz_definition definitions[16];
    size_t definition_count = 0;
    const char *file = NULL;
    for (int i = 1; i < argc; i++) {
        char *equals = strncmp(argv[i], "-D", 2) == 0 ? strchr(argv[i], '=') : NULL;
        if (strcmp(argv[i], "-a") == 0 && i + 1 < argc)
            r.algorithm = mz_find_algorithm(argv[++i]);
        else if (strncmp(argv[i], "--grain=", 8) == 0)
            r.grain = strtoull(argv[i] + 8, NULL, 10);
        else if (equals && definition_count < 16) {
            *equals = '\0';
            definitions[definition_count++] =
                (mz_definition){.name = argv[i] + 2, .value = strtoll(equals + 1, NULL, 10)};
        } else if (!file && argv[i][0] != '-')
            file = argv[i];
        else
            return usage();
    }
    if (!file || !r.algorithm || r.grain == 0)
        return usage();
    mz_error error = {0};
    mz_model *model = mz_model_load(file, definitions, definition_count, &error);
    if (error.set) {
        mz_text text = {0};
        mz_error_print(&error, &text);
        fputs(mz_text_string(&text), stderr);
        return 2;
    }
    r.machine = mz_model_machine(model, MZ_MEMORY_SC);
    mz_frontier f;
    mz_frontier_begin(&f);
    mz_work_item root = mz_frontier_take(&f, 0);
    bool good = record(&r, &root, 0);
    if (good)
        print(&r, &root);
    else
        fprintf(stderr, "scale_record: the search of %s with '%s' cannot be cut into pieces\n", file,
                r.algorithm->name);
    mz_work_item_release(&root);
    mz_frontier_release(&f);
    mz_release(r.pieces);
    r.machine->class->destroy(r.machine);
    mz_model_destroy(model);
    return good ? 0 : 1;
}
