/* From addresses to locations. A cell is a run of bytes that is always accessed as a whole; where accesses of
 * different sizes overlap, the bytes they touch become cells of their own, so that two operations conflict
 * exactly if they share a byte. That changes what earlier operations touched: the search begins again.
 *
 * Who has touched a cell, and that it is one, is noted from one execution to the next, and what conflicts
 * with that is learned: all know it from then on. Between two searches, the parts of a larger one, the notes
 * are forgotten. A part then learns what follows from its own executions, whatever the process that explores
 * it has seen before, and has the same events wherever it is explored. Nothing is missed: two threads that
 * touch a cell in one execution do so in one search, and those that only do in different ones have no order
 * there. A cell that is forgotten keeps its number, and has no size until somebody touches it. */
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/world/learning.h"
#include "program/world/named_locations.h"
#include "program/world/world.h"

enum { WIDEST = 16 };

static inline size_t slot_of(uintptr_t address)
{
    size_t mask = mz__w.cell_table_size - 1, slot = mz__first_slot(address);
    while (mz__w.cell_table[slot] && mz__w.cells[mz__w.cell_table[slot] - 1].address != address)
        slot = (slot + 1) & mask;
    return slot;
}

static __attribute__((noinline)) void enlarge_table(void)
{
    size_t size = mz__w.cell_table_size ? mz__w.cell_table_size * 2 : 1024;
    mz_release(mz__w.cell_table);
    mz__w.cell_table = mz_allocate_zeroed(size, sizeof *mz__w.cell_table);
    mz__w.cell_table_size = size;
    for (size_t i = 0; i < mz__w.cell_count; i++)
        mz__w.cell_table[slot_of(mz__w.cells[i].address)] = (uint32_t)i + 1;
}

/* One that was forgotten. */
static uint32_t touch_again(uint32_t number, uint32_t size, bool object)
{
    mz__cell *cell = &mz__w.cells[number];
    cell->size = size;
    cell->object = object;
    return number;
}

static uint32_t add_cell(uintptr_t address, uint32_t size, bool object)
{
    if (mz__w.cell_count * 2 >= mz__w.cell_table_size)
        enlarge_table();
    uint32_t forgotten = mz__w.cell_table[slot_of(address)];
    if (forgotten)
        return touch_again(forgotten - 1, size, object);
    if (mz__w.cell_count == MZ__MOST_CELLS) {
        mz__give_up(mz__caller.pc, "the threads share more than %d locations", MZ__MOST_CELLS);
        return 0;
    }
    mz__w.cells = mz_grow(mz__w.cells, &mz__w.cell_capacity, mz__w.cell_count + 1, sizeof *mz__w.cells);
    mz__w.cells[mz__w.cell_count] = (mz__cell){.address = address,
                                               .size = size,
                                               .owner = mz__w.all_shared ? MZ__SHARED : MZ__NOBODY,
                                               .object = object};
    mz__w.cell_table[slot_of(address)] = (uint32_t)++mz__w.cell_count;
    mz__w.base.location_count = (uint32_t)mz__w.cell_count;
    return (uint32_t)mz__w.cell_count - 1;
}

static mz__cell *cell_at(uintptr_t address)
{
    uint32_t found = mz__w.cell_table[slot_of(address)];
    return found && mz__w.cells[found - 1].size > 0 ? &mz__w.cells[found - 1] : NULL;
}

/* Every cell that overlaps these bytes falls into single bytes. */
static bool split_overlapping(uintptr_t address, size_t size)
{
    bool any = false;
    for (uintptr_t a = address - WIDEST + 1; a < address + size; a++) {
        mz__cell *cell = cell_at(a);
        if (!cell || cell->size <= 1 || cell->object || a + cell->size <= address)
            continue;
        uint32_t old_size = cell->size, owner = cell->owner;
        cell->size = 1; /* keeps its number for its first byte */
        for (uint32_t i = 1; i < old_size; i++) {
            uint32_t byte = cell_at(a + i) ? UINT32_MAX : add_cell(a + i, 1, false);
            if (byte != UINT32_MAX)
                mz__w.cells[byte].owner = owner;
        }
        any = true;
    }
    return any;
}

/* Of an object, its first byte counts: that is what operations on it and accesses to its bytes share. */
static inline bool some_cell(uintptr_t address, size_t size, bool (*is_true)(uint32_t cell))
{
    for (uintptr_t a = address - WIDEST + 1; a < address + size; a++) {
        const mz__cell *cell = cell_at(a);
        if (cell && a + (cell->object ? 1 : cell->size) > address &&
            (!is_true || is_true((uint32_t)(cell - mz__w.cells))))
            return true;
    }
    return false;
}

bool mz__overlaps_cells(uintptr_t address, size_t size)
{
    return some_cell(address, size, NULL);
}

bool mz__some_cell(uintptr_t address, size_t size, bool (*is_true)(uint32_t cell))
{
    return some_cell(address, size, is_true);
}

void mz__share_cell(uint32_t cell)
{
    if (mz__w.cells[cell].owner == MZ__SHARED)
        return;
    mz__w.cells[cell].owner = MZ__SHARED;
    mz__learned();
}

bool mz__is_mine(uint32_t number)
{
    mz__cell *cell = &mz__w.cells[number];
    if (cell->owner == MZ__NOBODY)
        cell->owner = mz__me();
    if (cell->owner == mz__me())
        return true;
    mz__share_cell(number);
    return false;
}

static __attribute__((noinline)) uint32_t new_cells(uintptr_t address, size_t size, bool object,
                                                    uint32_t *cells)
{
    bool overlaps = mz__overlaps_cells(address, object ? 1 : size);
    if (!overlaps) {
        cells[0] = add_cell(address, (uint32_t)size, object);
        return 1;
    }
    if (split_overlapping(address, object ? 1 : size))
        mz__learned();
    size = object ? 1 : size;
    uint32_t count = 0;
    for (size_t i = 0; i < size; i++) {
        const mz__cell *byte = cell_at(address + i);
        cells[count++] = byte ? (uint32_t)(byte - mz__w.cells) : add_cell(address + i, 1, false);
    }
    return count;
}

uint32_t mz__cells_of(uintptr_t address, size_t size, bool object, uint32_t *cells)
{
    if (!mz__w.cell_table)
        enlarge_table();
    uint32_t found = mz__w.cell_table[slot_of(address)];
    if (!found || mz__w.cells[found - 1].size == 0 || (mz__w.cells[found - 1].size != size && !object))
        return new_cells(address, size, object, cells);
    cells[0] = found - 1;
    return 1;
}

/* ---- from one search to the next ------------------------------------------------------------------------
 */

void mz__note_what_is_shared(void)
{
    for (size_t i = 0; i < mz__w.cell_count; i++)
        mz__w.cells[i].was_shared = mz__w.cells[i].owner == MZ__SHARED;
}

/* That a variable was accessed atomically is not taken back with the execution (happens_before.c). */
static void forget_atomic_accesses(const mz__cell *cell)
{
    for (uintptr_t word = cell->address & ~(uintptr_t)7; word < cell->address + cell->size; word += 8) {
        mz__shadow *shadow = word - MZ__ARENA < MZ__ARENA_BYTES ? NULL : mz__shadow_of(word);
        if (shadow)
            shadow->more &= ~MZ__WORD_IS_ATOMIC;
    }
}

/* Whether a freed block may be taken again is a choice, which stays the same (runtime/reuse.c). */
void mz__forget_who_has_touched(void)
{
    for (size_t i = 0; i < mz__w.cell_count; i++) {
        mz__cell *cell = &mz__w.cells[i];
        if (cell->address != MZ__BLOCK_OF_NAME(cell->address))
            continue;
        forget_atomic_accesses(cell);
        cell->settled = cell->guards_differ = cell->guarded_writes = false;
        cell->guard = 0;
        if (cell->was_shared)
            continue;
        cell->owner = mz__w.all_shared ? MZ__SHARED : MZ__NOBODY;
        cell->size = 0;
    }
}
