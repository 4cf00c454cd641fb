/* From addresses to locations. A cell is a run of bytes that is always accessed as a whole; where accesses of
 * different sizes overlap, the bytes they touch become cells of their own, so that two operations conflict
 * exactly if they share a byte. That changes what earlier operations touched: the search begins again. */
#include "base/memory.h"
#include "program/runtime/schedule.h"

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
        if (mz__w.cells[i].size > 0)
            mz__w.cell_table[slot_of(mz__w.cells[i].address)] = (uint32_t)i + 1;
}

static uint32_t add_cell(uintptr_t address, uint32_t size, bool object)
{
    if (mz__w.cell_count * 2 >= mz__w.cell_table_size)
        enlarge_table();
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
    return found ? &mz__w.cells[found - 1] : NULL;
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
bool mz__overlaps_cells(uintptr_t address, size_t size)
{
    for (uintptr_t a = address - WIDEST + 1; a < address + size; a++) {
        const mz__cell *cell = cell_at(a);
        if (cell && a + (cell->object ? 1 : cell->size) > address)
            return true;
    }
    return false;
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
        uint32_t byte = mz__w.cell_table[slot_of(address + i)];
        cells[count++] = byte ? byte - 1 : add_cell(address + i, 1, false);
    }
    return count;
}

uint32_t mz__cells_of(uintptr_t address, size_t size, bool object, uint32_t *cells)
{
    if (!mz__w.cell_table)
        enlarge_table();
    uint32_t found = mz__w.cell_table[slot_of(address)];
    if (!found || (mz__w.cells[found - 1].size != size && !object))
        return new_cells(address, size, object, cells);
    cells[0] = found - 1;
    return 1;
}
