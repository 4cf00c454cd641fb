/* Executions are repeated, so what they ask for is the same again and again: it is noted once, and never
 * taken back. */
#include "program/describe/noted_premises.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/runtime/program.h"
#include "program/runtime/world.h"

static struct {
    uint32_t kinds; /* 1 << mz_premise_kind */
    char **names;   /* of environment variables */
    size_t name_count, name_capacity;
    bool whole_environment, own_environment;
    uint64_t affinity; /* 0: not asked for */
} asked;

static struct {
    uint32_t threads;
    uint32_t most[MZ_MAX_THREADS];
    mz_threads varying;
} counted;

void mz__ask(mz_premise_kind kind)
{
    asked.kinds |= 1u << kind;
}

void mz__ask_affinity(uint64_t count)
{
    asked.affinity = count;
}

static bool is_known(const char *name)
{
    for (size_t i = 0; i < asked.name_count; i++)
        if (strcmp(asked.names[i], name) == 0)
            return true;
    return false;
}

void mz__ask_variable(const char *name)
{
    mz__ask(MZ_PREMISE_ENVIRONMENT);
    if (!name) {
        asked.whole_environment = true;
    } else if (!is_known(name)) {
        asked.names = mz_grow(asked.names, &asked.name_capacity, asked.name_count + 1, sizeof *asked.names);
        char *copy = mz_allocate(strlen(name) + 1);
        memcpy(copy, name, strlen(name) + 1);
        asked.names[asked.name_count++] = copy;
    }
}

/* ---- threads and operations -------------------------------------------------------------------------------
 */

void mz__note_counts(void)
{
    uint32_t threads = mz__w.state.thread_count;
    counted.threads = threads > counted.threads ? threads : counted.threads;
    for (uint32_t t = 0; t < threads; t++)
        if (mz__w.threads[t].operations > counted.most[t])
            counted.most[t] = mz__w.threads[t].operations;
}

void mz__count_varies(const mz__thread *thread)
{
    counted.varying |= mz_threads_of((uint32_t)(thread - mz__w.threads));
}

uint32_t mz_native_counts(mz_machine *machine, uint32_t most[MZ_MAX_THREADS])
{
    (void)machine;
    mz__note_counts();
    for (uint32_t t = 0; t < counted.threads; t++)
        most[t] = mz_threads_has(counted.varying, t) ? UINT32_MAX : counted.most[t];
    return counted.threads;
}

/* ---- the environment --------------------------------------------------------------------------------------
 *
 * Calls to getenv() are resolved to this one, in all of the checker: the program's are those that a fiber
 * makes. */

static char *value_of(const char *name)
{
    size_t length = strlen(name);
    for (char **at = environ; length > 0 && at && *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

char *getenv(const char *name)
{
    if (mz__w.current)
        mz__ask_variable(name);
    return value_of(name);
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* The part of the C library that is compiled into a program that changes its environment (c/environment.c)
 * looks through the variables itself, and says what for. NULL: that it is there. */
void mz_note_variable(const char *name);
void mz_note_variable(const char *name)
{
    if (name)
        mz__ask_variable(name);
    else
        asked.own_environment = true;
}

/* ---- all together ----------------------------------------------------------------------------------------
 */

typedef struct listing {
    mz_native_premise *items;
    size_t count, capacity;
} listing;

static void add(listing *all, mz_premise_kind kind, const char *name, uint64_t size, uint64_t hash)
{
    all->items = mz_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = (mz_native_premise){kind, name, size, hash};
}

static void add_bytes(listing *all, mz_premise_kind kind, const char *name, const char *bytes, size_t size)
{
    add(all, kind, name, bytes ? size : MZ_PREMISE_ABSENT,
        bytes ? mz_premise_hash(MZ_PREMISE_BASE, bytes, size) : 0);
}

/* What is below the current directory is so wherever the program is started. */
static const char *as_asked(const char *path)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

static void add_content(void *context, const char *path, const char *bytes, size_t size)
{
    add_bytes(context, path ? MZ_PREMISE_FILE : MZ_PREMISE_INPUT, path ? as_asked(path) : "-", bytes, size);
}

static void add_environment(listing *all)
{
    for (size_t i = 0; i < asked.name_count; i++) {
        const char *value = value_of(asked.names[i]);
        add_bytes(all, MZ_PREMISE_ENVIRONMENT, asked.names[i], value, value ? strlen(value) : 0);
    }
    if (!asked.whole_environment || asked.own_environment)
        return;
    uint64_t sum = 0, count = 0; /* in whatever order they stand */
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "MAZURKA_", 8) != 0) { /* what is given to programs that run */
            sum += mz_premise_hash(MZ_PREMISE_BASE, *at, strlen(*at));
            count++;
        }
    add(all, MZ_PREMISE_ENVIRONMENT, "-", count, sum);
}

size_t mz_native_premises(const mz_machine *machine, mz_native_premise **premises)
{
    static const struct {
        mz_premise_kind kind;
        uint64_t answer;
    } numbers[] = {{MZ_PREMISE_PROCESSORS, MZ__PROCESSORS},
                   {MZ_PREMISE_PROCESS, MZ__PROCESS},
                   {MZ_PREMISE_USER, MZ__PROCESS},
                   {MZ_PREMISE_CLOCK, 0},
                   {MZ_PREMISE_RANDOM, 0}};
    listing all = {0};
    (void)machine;
    add_environment(&all);
    mz__visit_contents(add_content, &all);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (asked.kinds >> numbers[i].kind & 1)
            add(&all, numbers[i].kind, "-", numbers[i].answer, 0);
    if (asked.affinity)
        add(&all, MZ_PREMISE_PROCESSORS, "affinity", asked.affinity, 0);
    if (asked.kinds >> MZ_PREMISE_HOST & 1)
        add_bytes(&all, MZ_PREMISE_HOST, "-", MZ__HOST, strlen(MZ__HOST));
    *premises = all.items;
    return all.count;
}
