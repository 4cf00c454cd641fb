/* Words for blocks of memory, and for addresses near to one. */
#include "program/describe/heap_names.h"
#include "program/describe/names.h"
#include "program/memory/block_header.h"
#include "program/memory/heap.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

void mz__add_site(mz_text *out, uint32_t thread, uintptr_t pc)
{
    mz_code_place place;
    mz_position position;
    mz_text_add(out, "by thread %u", thread);
    if (!pc || !mz_symbols_code(mz__w.symbols, pc - 1, &place))
        return;
    mz__position_in_program(pc, &position);
    if (place.function && position.file == place.file) /* otherwise it is that of an inlined one */
        mz_text_add(out, " in %s()", place.function);
    if (position.file)
        mz_text_add(out, " %s:%u", position.file, position.line);
}

void mz__heap_add_life(mz_text *out, const mz__block *block)
{
    mz_text_add(out, "a block of %zu bytes, allocated ", block->size);
    mz__add_site(out, block->thread, block->allocated_by);
    if (!block->freed_by)
        return;
    mz__w.watch_block = block->start; /* where the execution is repeated, that is worth a row */
    mz_text_add(out, ", freed ");
    mz__add_site(out, block->freed_in, block->freed_by);
}

/* Between two blocks it is the nearer one that was meant. */
static bool is_nearer(uintptr_t address, const mz__block *next, const mz__block *before)
{
    return next->start - address < address - (before->start + before->size);
}

/* "of session->hits after it was freed, "; behind a block only if that is an element which an array does not
 * have: "of stack->items[4], ". Nothing if it is not known what the block is. */
static void add_name(uintptr_t address, const mz__block *block, bool inside, mz_text *out)
{
    mz_text name = {0};
    mz_value_type ignored = {0};
    bool known = mz__name_in_block(block, address, 1, &name, &ignored);
    if (known && (inside || name.bytes[name.length - 1] == ']'))
        mz_text_add(out, "of %s%s, ", mz_text_string(&name), block->freed_by ? " after it was freed" : "");
    mz_text_release(&name);
}

void mz__heap_describe(uintptr_t address, mz_text *out)
{
    uint32_t number = (uint32_t)((address - MZ__ARENA) / MZ__HEAP_BYTES);
    mz__block before, next;
    bool any = mz__heap_find(address, &before);
    bool inside = any && address - before.start < before.size;
    bool is_next = !inside && mz__heap_next(number, address, &next) && next.start - address <= MZ__HEADER;
    bool is_behind = any && !inside && !(is_next && is_nearer(address, &next, &before));
    if (inside || is_behind)
        add_name(address, &before, inside, out);
    if (is_next && !is_behind) {
        mz_text_add(out, "%zu bytes before ", (size_t)(next.start - address));
        mz__heap_add_life(out, &next);
    } else if (any) {
        if (inside)
            mz_text_add(out, "at byte %zu of ", (size_t)(address - before.start));
        else
            mz_text_add(out, "%zu bytes behind ", (size_t)(address - before.start - before.size));
        mz__heap_add_life(out, &before);
    } else {
        mz_text_add(out, "at address %#lx, where nothing is", (unsigned long)address);
    }
}
