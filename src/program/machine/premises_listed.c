/* All premises of the executions so far: what they have asked for, with the answers that they got. */
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/program.h"
#include "program/world/noted_premises.h"

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
    bool below = length > 1 && strncmp(path, here, length) == 0;
    return below && path[length] == '/' ? path + length + 1 : below && !path[length] ? "." : path;
}

static void add_content(void *context, const char *path, const char *bytes, size_t size)
{
    add_bytes(context, path ? MZ_PREMISE_FILE : MZ_PREMISE_INPUT, path ? as_asked(path) : "-", bytes, size);
}

static void add_name(void *context, const char *path, unsigned asked_for, unsigned found, unsigned mode)
{
    add(context, MZ_PREMISE_PERMISSIONS, as_asked(path), asked_for * MZ_NAME_ASKED | (found & asked_for), 0);
    if (mode)
        add(context, MZ_PREMISE_MODES, as_asked(path), mode, 0);
}

static void add_text(listing *all, mz_premise_kind kind, const char *name, const char *text)
{
    add_bytes(all, kind, name, text, strlen(text));
}

/* What the system itself answers is asked for once more: it stays the same. */
static void add_facts(listing *all)
{
    static const char system[] = "Linux " MZ__RELEASE " " MZ__VERSION " " MZ__MACHINE;
    const mz__questions *asked = mz__asked();
    char here[4096];
    for (size_t i = 0; i < asked->fact_count; i++) {
        const mz_native_premise *fact = &asked->facts[i];
        if (fact->kind == MZ_PREMISE_HOST)
            add_text(all, MZ_PREMISE_HOST, fact->name, system);
        else if (fact->kind == MZ_PREMISE_DIRECTORY)
            add_text(all, MZ_PREMISE_DIRECTORY, fact->name, getcwd(here, sizeof here) ? here : "/");
        else
            add(all, fact->kind, fact->name, fact->size, 0);
    }
}

static void add_environment(listing *all)
{
    const mz__questions *asked = mz__asked();
    for (size_t i = 0; i < asked->name_count; i++) {
        const char *value = mz__value_of(asked->names[i]);
        add_bytes(all, MZ_PREMISE_ENVIRONMENT, asked->names[i], value, value ? strlen(value) : 0);
    }
    if (!asked->whole_environment || asked->own_environment)
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
                   {MZ_PREMISE_RANDOM, 0},
                   {MZ_PREMISE_TIMES, 0},
                   {MZ_PREMISE_PLACEMENT, 0},
                   {MZ_PREMISE_ZONE, 0},
                   {MZ_PREMISE_SIGNALS, 0}};
    const mz__questions *asked = mz__asked();
    listing all = {0};
    (void)machine;
    add_environment(&all);
    mz__visit_contents(add_content, &all);
    mz__visit_names(add_name, &all);
    add_facts(&all);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (asked->kinds >> numbers[i].kind & 1)
            add(&all, numbers[i].kind, "-", numbers[i].answer, 0);
    if (asked->affinity)
        add(&all, MZ_PREMISE_PROCESSORS, "affinity", asked->affinity, 0);
    if (asked->kinds >> MZ_PREMISE_HOST & 1)
        add_bytes(&all, MZ_PREMISE_HOST, "-", MZ__HOST, strlen(MZ__HOST));
    *premises = all.items;
    return all.count;
}
