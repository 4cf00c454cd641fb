/* Which mutexes are taken to have simple sections (simple_sections.c), until one of them is found not to be:
 * those with sections of different threads that do not conflict, as far as the first, exploratory runs show.
 * It is no matter of being right: a mutex that is left out costs executions, one that is taken in for nothing
 * costs a beginning. Sections that all conflict gain nothing from being events of their own. */
#include "base/memory.h"
#include "program/runtime/simple_sections.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- what is simple ---------------------------------------------------------------------------------- */

static void forget_guards(void)
{
    for (size_t i = 0; i < mz__w.cell_count; i++) {
        mz__w.cells[i].guard = 0;
        mz__w.cells[i].guards_differ = mz__w.cells[i].guarded_writes = false;
    }
}

void mz__is_not_simple(uint32_t cell)
{
    mz__w.cells[cell].never_simple = true;
    if (!mz__w.cells[cell].simple)
        return;
    mz__w.cells[cell].simple = false;
    forget_guards();
    mz__learned();
}

/* The execution is worthless, and nobody is to go on in the midst of a section. */
void mz__leave_simple_section(void)
{
    mz__is_not_simple(mz__w.current->simple - 1);
    mz__prune();
}

/* ---- notes ---------------------------------------------------------------------------------------------
 */

enum { MOST_WORDS = 64, MOST_SECTIONS = 512 };

typedef struct noted_section {
    uint32_t cell, thread, count;
    bool open, too_large;
    uintptr_t words[MOST_WORDS]; /* the lowest bit: it is written */
} noted_section;

static noted_section *sections; /* of the run at hand */
static size_t section_count, section_capacity;
static uint32_t open_section[MZ_MAX_THREADS]; /* + 1 */
static uint32_t *pairs[2];                    /* [cell]: pairs of sections, without and with a conflict */
static size_t pair_capacity[2];

void mz__begin_section_notes(void)
{
    section_count = 0;
    memset(open_section, 0, sizeof open_section);
}

static noted_section *current_section(void)
{
    uint32_t open = open_section[mz__me()];
    return open ? &sections[open - 1] : NULL;
}

void mz__note_section_operation(void)
{
    const noted_section *s = current_section();
    if (s && !mz__unnoticed())
        mz__is_not_simple(s->cell);
}

void mz__note_locked(uint32_t cell)
{
    if (section_count == MOST_SECTIONS || mz__unnoticed() || mz__w.cells[cell].never_simple)
        return;
    sections = mz_grow(sections, &section_capacity, section_count + 1, sizeof *sections);
    sections[section_count++] = (noted_section){.cell = cell, .thread = mz__me(), .open = true};
    open_section[mz__me()] = (uint32_t)section_count;
}

void mz__note_section_access(uintptr_t address, bool writes)
{
    noted_section *s = current_section();
    uintptr_t word = address & ~(uintptr_t)7;
    if (!s)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        if ((s->words[i] & ~(uintptr_t)7) == word) {
            s->words[i] |= writes;
            return;
        }
    if (s->count < MOST_WORDS)
        s->words[s->count++] = word | writes;
    else
        s->too_large = true;
}

static bool conflict(const noted_section *a, const noted_section *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if ((a->words[i] ^ b->words[k]) < 2 && ((a->words[i] | b->words[k]) & 1))
                return true;
    return a->too_large || b->too_large;
}

static void compare_with_earlier(const noted_section *s)
{
    for (int which = 0; which < 2; which++) {
        size_t before = pair_capacity[which];
        pairs[which] = mz_grow(pairs[which], &pair_capacity[which], s->cell + 1, sizeof *pairs[which]);
        memset(pairs[which] + before, 0, (pair_capacity[which] - before) * sizeof *pairs[which]);
    }
    for (size_t i = 0; i < section_count; i++)
        if (sections[i].cell == s->cell && sections[i].thread != s->thread && !sections[i].open)
            pairs[conflict(&sections[i], s)][s->cell]++;
}

void mz__note_unlocked(uint32_t cell)
{
    noted_section *s = current_section();
    if (!s || s->cell != cell)
        return;
    open_section[mz__me()] = 0;
    s->open = false;
    compare_with_earlier(s);
}

void mz__choose_simple_sections(void)
{
    enum { FREE_PART = 8 }; /* at least an eighth of all pairs does not conflict */
    for (uint32_t cell = 0; cell < pair_capacity[0] && cell < mz__w.cell_count; cell++) {
        uint32_t without = pairs[0][cell], with = cell < pair_capacity[1] ? pairs[1][cell] : 0;
        if (without > 0 && without >= (without + with) / FREE_PART && !mz__w.cells[cell].never_simple)
            mz__w.cells[cell].simple = true;
    }
}
