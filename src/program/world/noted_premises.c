/* Executions are repeated, so what they ask for is the same again and again: it is noted once, and never
 * taken back. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/program.h"
#include "program/world/noted_premises.h"
#include "program/world/world.h"

static mz__questions asked;

const mz__questions *mz__asked(void)
{
    return &asked;
}

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

void mz__ask_about(mz_premise_kind kind, const char *name, uint64_t answer)
{
    for (size_t i = 0; i < asked.fact_count; i++)
        if (asked.facts[i].kind == kind && strcmp(asked.facts[i].name, name) == 0)
            return;
    asked.facts = mz_grow(asked.facts, &asked.fact_capacity, asked.fact_count + 1, sizeof *asked.facts);
    asked.facts[asked.fact_count++] = (mz_native_premise){kind, mz_copy_string(name), answer, 0};
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

char *mz__value_of(const char *name)
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
    return mz__value_of(name);
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* The part of the C library that is compiled into a program that changes its environment
 * (libc/linked/environment.c) looks through the variables itself, and says what for. NULL: that it is there.
 */
void mz_note_variable(const char *name);
void mz_note_variable(const char *name)
{
    if (name)
        mz__ask_variable(name);
    else
        asked.own_environment = true;
}
