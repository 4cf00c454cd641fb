/* What happens inside of a simple section: see simple_sections.c. */
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/runtime/sections.h"
#include "program/runtime/simple_sections.h"
#include "program/world/world.h"

/* Sections that touch more cells than this are not worth being compared. */
enum { MOST_CELLS = 512 };

/* Fact (5). */
static void note_guard(mz__cell *cell, bool writes)
{
    uint32_t guard = mz__w.current->simple;
    if (!cell->guard)
        cell->guard = guard;
    cell->guards_differ |= cell->guard != guard;
    cell->guarded_writes |= writes;
    if (MZ_UNLIKELY(cell->guards_differ && cell->guarded_writes))
        mz__leave_simple_section();
}

/* Data of sections are everybody's from the start: one that first belongs to a thread would make the search
 * begin again. */
static void touch_cell(uint32_t number, uint32_t kind)
{
    mz__cell *cell = &mz__w.cells[number];
    note_guard(cell, kind & MZ_WRITE);
    if (cell->owner == MZ__NOBODY)
        cell->owner = MZ__SHARED;
    mz__share_cell(number);
    mz__add_to_footprint(number, kind);
    if (!mz__w.trying)
        mz__acquire_guarded(number, kind & MZ_WRITE);
}

void mz__simple_section_access(uintptr_t address, size_t size, uint32_t kind)
{
    const mz__shadow *shadow = mz__shadow_of(address);
    uint32_t cells[16], count = mz__cells_of(address, size, false, cells);
    if (shadow->more & (MZ__WORD_IS_EVENT | MZ__WORD_IS_ATOMIC | MZ__WORD_IS_MIXED))
        mz__leave_simple_section();
    mz__note_before_section(address, (uint32_t)size, cells, count);
    for (uint32_t i = 0; i < count; i++)
        touch_cell(cells[i], kind);
    if (mz__w.footprint_count > MOST_CELLS)
        mz__leave_simple_section();
    if (!mz__w.trying)
        mz__access(address, size, kind & MZ_WRITE, false, mz__caller.pc);
}
