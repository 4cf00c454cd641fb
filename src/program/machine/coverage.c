#include "program/coverage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "program/machine/load.h"
#include "program/symbols/symbols.h"
#include "program/world/coverage.h"
#include "program/world/world.h"
#include "wire/covered.h"

/* ---- bytes ----------------------------------------------------------------------------------------------
 */

/* They are no part of the program's state: they come last of what can be written, and are shared with the
 * processes that will come from this one. */
void mz__cut_coverage(void)
{
    mz__memory *m = &mz__w.memory;
    uintptr_t begin, end;
    if (!mz_symbols_section(mz__w.symbols, MZ_COVERED_BYTES, &begin, &end) || begin % MZ_COVERED_PAGE != 0 ||
        end % MZ_COVERED_PAGE != 0 || begin < m->image || end < m->image_end)
        return;
    mmap((void *)begin, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    m->image_end = begin;
}

static void *share(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void mz_native_cover(mz_machine *machine)
{
    (void)machine;
    mz__covering *c = mz_allocate_zeroed(1, sizeof *c);
    c->covered = share(sizeof *c->covered);
    c->code = mz__w.memory.code;
    mz__w.covering = c->covered ? c : NULL;
}

/* ---- lines and branches ---------------------------------------------------------------------------------
 */

static const char *target(const int32_t *distance)
{
    return (const char *)distance + *distance;
}

static int compare_places(const char *file, uint32_t line, const char *other_file, uint32_t other_line)
{
    int order = strcmp(file, other_file);
    return order ? order : line < other_line ? -1 : line > other_line;
}

static int compare_lines(const void *a, const void *b)
{
    const mz_covered_line *x = a, *y = b;
    return compare_places(x->file, x->line, y->file, y->line);
}

static int compare_branches(const void *a, const void *b)
{
    const mz_covered_branch *x = a, *y = b;
    int order = compare_places(x->file, x->line, y->file, y->line);
    return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

/* A line can be in several blocks, and the same code in several objects. */
static void merge_lines(mz_coverage *c)
{
    size_t kept = 0;
    if (c->line_count > 0)
        qsort(c->lines, c->line_count, sizeof *c->lines, compare_lines);
    for (size_t i = 0; i < c->line_count; i++)
        if (kept > 0 && compare_lines(&c->lines[kept - 1], &c->lines[i]) == 0)
            c->lines[kept - 1].ran |= c->lines[i].ran;
        else
            c->lines[kept++] = c->lines[i];
    c->line_count = kept;
}

static void merge_branches(mz_coverage *c)
{
    size_t kept = 0;
    if (c->branch_count > 0)
        qsort(c->branches, c->branch_count, sizeof *c->branches, compare_branches);
    for (size_t i = 0; i < c->branch_count; i++) {
        mz_covered_branch *b = &c->branches[i];
        if (kept > 0 && compare_branches(&c->branches[kept - 1], b) == 0) {
            c->branches[kept - 1].went_on |= b->went_on;
            c->branches[kept - 1].was_taken |= b->was_taken;
        } else {
            c->branches[kept++] = *b;
        }
    }
    c->branch_count = kept;
}

static void read_table(mz_coverage *c)
{
    uintptr_t begin, end;
    if (!mz_symbols_section(mz__w.symbols, MZ_COVERED_TABLE, &begin, &end))
        return;
    const mz_covered_entry *table = (const void *)begin;
    size_t count = (end - begin) / sizeof *table;
    c->lines = mz_allocate_zeroed(count + 1, sizeof *c->lines);
    c->branches = mz_allocate_zeroed(count + 1, sizeof *c->branches);
    for (size_t i = 0; i < count; i++) {
        const mz_covered_entry *e = &table[i];
        const char *file = target(&e->to_file);
        bool ran = *target(&e->to_byte);
        if (e->kind == MZ_COVERED_LINE)
            c->lines[c->line_count++] = (mz_covered_line){file, e->line, ran};
        else
            c->branches[c->branch_count++] =
                (mz_covered_branch){file, e->line, e->branch, ran && e->kind == MZ_COVERED_NOT_TAKEN,
                                    ran && e->kind == MZ_COVERED_TAKEN};
    }
    merge_lines(c);
    merge_branches(c);
}

/* ---- pairs, and who was beside whom ---------------------------------------------------------------------
 */

/* What is noted is a return address. */
static bool place_of(uint64_t distance, mz_code_place *place)
{
    return mz_symbols_code(mz__w.symbols, mz__w.covering->code + (uint32_t)distance - 1, place) &&
           place->file && place->line > 0;
}

static int compare_pairs(const void *a, const void *b)
{
    const mz_covered_pair *x = a, *y = b;
    int order = compare_places(x->files[0], x->lines[0], y->files[0], y->lines[0]);
    return order ? order : compare_places(x->files[1], x->lines[1], y->files[1], y->lines[1]);
}

static void list_pairs(mz_coverage *c)
{
    const mz__covered *covered = mz__w.covering->covered;
    size_t capacity = 0, kept = 0;
    for (size_t i = 0; i < MZ__COVERED_PAIRS; i++) {
        mz_code_place first, second;
        if (!covered->pairs[i] || !place_of(covered->pairs[i] >> 32, &first) ||
            !place_of((uint32_t)covered->pairs[i], &second))
            continue;
        c->pairs = mz_grow(c->pairs, &capacity, c->pair_count + 1, sizeof *c->pairs);
        c->pairs[c->pair_count++] =
            (mz_covered_pair){.files = {first.file, second.file}, .lines = {first.line, second.line}};
    }
    if (c->pair_count > 0)
        qsort(c->pairs, c->pair_count, sizeof *c->pairs, compare_pairs);
    for (size_t i = 0; i < c->pair_count; i++)
        if (i == 0 || compare_pairs(&c->pairs[kept - 1], &c->pairs[i]) != 0)
            c->pairs[kept++] = c->pairs[i];
    c->pair_count = kept;
    for (size_t i = 0; i < kept; i++) {
        const mz_covered_pair *p = &c->pairs[i];
        mz_covered_pair other = {.files = {p->files[1], p->files[0]}, .lines = {p->lines[1], p->lines[0]}};
        c->pairs[i].reversed = bsearch(&other, c->pairs, kept, sizeof other, compare_pairs);
    }
}

static bool is_listed(const char **names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The functions of these places. */
static size_t list_functions(const uint64_t *places, size_t size, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        mz_code_place place;
        if (places[i] && place_of(places[i], &place) && place.function &&
            !is_listed(names, count, place.function))
            names[count++] = place.function;
    }
    return count;
}

static void list_never_beside(mz_coverage *c)
{
    const mz__covered *covered = mz__w.covering->covered;
    size_t size = sizeof covered->places / sizeof *covered->places;
    const char **beside = mz_allocate((size + 1) * sizeof *beside);
    const char **ran = mz_allocate((size + 1) * sizeof *ran);
    size_t beside_count = list_functions(covered->places, size, beside),
           ran_count = list_functions(covered->others, size, ran);
    for (size_t i = 0; i < ran_count; i++)
        if (!is_listed(beside, beside_count, ran[i]))
            ran[c->never_beside_count++] = ran[i];
    c->never_beside = ran;
    mz_release(beside);
}

void mz_native_coverage(mz_machine *machine, mz_coverage *out)
{
    (void)machine;
    *out = (mz_coverage){0};
    read_table(out);
    if (!mz__w.covering)
        return;
    list_pairs(out);
    list_never_beside(out);
}

void mz_coverage_release(mz_coverage *c)
{
    mz_release(c->lines);
    mz_release(c->branches);
    mz_release(c->pairs);
    mz_release(c->never_beside);
}

bool mz_native_ran_beside(const mz_machine *machine, uint32_t operation, uint32_t other)
{
    (void)machine;
    return mz__w.covering->covered->beside[operation][other];
}
