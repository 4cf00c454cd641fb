/* The lines whose plain accesses race (world/sites.h), for plans: only these have names, and only these are
 * counted when the program runs. All sites of a line go together, since that is how they are known there. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/machine/load.h"
#include "program/program.h"
#include "program/symbols/symbols.h"
#include "program/world/learning.h"
#include "program/world/sites.h"
#include "wire/site.h"

static const mz_site *first, *end;

static uintptr_t returns_to(const mz_site *site)
{
    return mz_site_address(site) + MZ_SITE_BYTES;
}

static void mark(uint64_t *sites, uintptr_t pc)
{
    uintptr_t at = pc - mz__w.memory.code;
    sites[at >> 6] |= UINT64_C(1) << (at & 63);
}

void mz__find_sites(void)
{
    uintptr_t begin, stop, code = mz__w.memory.code_end - mz__w.memory.code;
    if (!mz_symbols_section(mz__w.symbols, MZ_SITES_SECTION, &begin, &stop))
        return;
    first = (const mz_site *)begin;
    end = first + (stop - begin) / sizeof *first;
    mz__w.listed_sites = mz_allocate_zeroed((code >> 6) + 1, sizeof *mz__w.listed_sites);
    mz__w.racing_sites = mz_allocate_zeroed((code >> 6) + 1, sizeof *mz__w.racing_sites);
    for (const mz_site *s = first; s < end; s++)
        if (returns_to(s) - mz__w.memory.code < code)
            mark(mz__w.listed_sites, returns_to(s));
}

static int compare_keys(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* In order, each once. */
static size_t list_racing(uint32_t *keys)
{
    size_t count = 0, kept = 0;
    for (const mz_site *s = first; s < end; s++)
        if (mz__site_is(mz__w.racing_sites, returns_to(s)))
            keys[count++] = s->key;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || keys[i] != keys[i - 1])
            keys[kept++] = keys[i];
    return kept;
}

void mz_native_count_lines(mz_machine *machine, const uint32_t *keys, size_t count)
{
    (void)machine;
    for (const mz_site *s = first; s < end; s++)
        if (count > 0 && bsearch(&s->key, keys, count, sizeof *keys, compare_keys))
            mark(mz__w.racing_sites, returns_to(s));
    mz__w.counts_racing_lines = mz__w.listed_sites;
    mz__w.met_unknown_line = false;
    mz__w.exploring = false;
    mz__learned(); /* steps that are known have counted otherwise */
}

bool mz_native_count_racing_lines(mz_machine *machine, uint32_t **keys, size_t *count)
{
    if (!mz__w.listed_sites)
        return false;
    *keys = mz_allocate_zeroed((size_t)(end - first) + 1, sizeof **keys);
    *count = list_racing(*keys);
    mz_native_count_lines(machine, *keys, *count);
    return true;
}

void mz_native_count_all_lines(mz_machine *machine)
{
    (void)machine;
    mz__w.counts_racing_lines = false;
    mz__w.exploring = false;
    mz__learned();
}

bool mz_native_met_unknown_line(mz_machine *machine)
{
    (void)machine;
    bool met = mz__w.met_unknown_line;
    mz__w.met_unknown_line = false;
    return met;
}
