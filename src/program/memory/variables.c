/* Beyond the ends of variables with static storage.
 *
 * The symbol table of the linked program says where each of them begins and ends. What lies between two of
 * them is alignment, or room that the compile step has put there (compile_variables.c), and an access to it
 * is an error; what lands inside another variable cannot be told from an access to that one. A word of memory
 * that contains such bytes is marked in its shadow, where every access looks anyway. */
#include "program/memory/variables.h"
#include "base/memory.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

static void note_gap(uintptr_t begin, uintptr_t end)
{
    mz__memory *m = &mz__w.memory;
    begin = begin > m->image ? begin : m->image;
    end = end < m->image_end ? end : m->image_end;
    for (uintptr_t at = begin; at < end; at++) {
        m->image_gaps[(at - m->image) >> 3] |= (uint8_t)(1u << (at & 7));
        m->image_shadow[(at - m->image) >> 3].more |= MZ__WORD_HAS_GAPS;
    }
}

void mz__find_gaps(void)
{
    mz__memory *m = &mz__w.memory;
    if (m->image >= m->image_end)
        return;
    m->image_gaps = mz_allocate_zeroed((m->image_end - m->image) / 8, 1);
    mz_symbols_for_each_gap(mz__w.symbols, note_gap);
}
