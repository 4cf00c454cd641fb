/* A block of the heap has no name, but those who use it know it by the type of their pointers. So all
 * pointers are followed, from the variables of the program and of its threads' frames, through the blocks
 * that they lead to. A block is then
 *   - "chan", if it is the only one of its type that ever was, "node#1.3" if it is the third allocation of
 *     thread 1 and there are others: what an allocation is called does not depend on the schedule;
 *   - "pool->queue", if it is no record but an array, or a number: the pointer that leads to it.
 * Of several types the largest one that fits is meant: others may be what a block begins with, and a pointer
 * to characters is often one to anything.
 *
 * What is found once is kept. So a block keeps its name when the last pointer to it is gone. */
#include "program/describe/heap_names.h"

#include <string.h>

#include "base/memory.h"
#include "program/describe/frames.h"
#include "program/world/world.h"

typedef struct known {
    uint32_t thread, number; /* who has allocated it, and which one it is of his */
    uintptr_t start, allocated_by;
    size_t size;
    mz_type type;
    uint64_t type_size;
    uintptr_t pointer;    /* where a pointer to it is; 0: in a register */
    const char *variable; /* of a function, if it is in one; NULL: it is elsewhere */
    char *name;           /* of its type, if that is a record; else of the pointer */
    bool is_record;       /* one, not several */
    uint32_t searched;    /* in which search its own pointers were followed */
} known;

enum { MOST_BLOCKS = 4096, DEEPEST = 6 };

static struct {
    known *blocks;
    size_t count, capacity;
    uint32_t search;
    unsigned depth; /* names are made of names */
} heap;

static bool is_same(const known *k, const mz__block *b)
{
    return k->start == b->start && k->thread == b->thread && k->number == b->number && k->size == b->size &&
           k->allocated_by == b->allocated_by;
}

static known *find(const mz__block *block)
{
    for (size_t i = 0; i < heap.count; i++)
        if (is_same(&heap.blocks[i], block))
            return &heap.blocks[i];
    return NULL;
}

/* ---- following pointers ---------------------------------------------------------------------------------
 */

static bool can_be_read(uintptr_t at)
{
    const mz__memory *m = &mz__w.memory;
    return at % sizeof(uintptr_t) == 0 && (at - m->image < m->image_end - m->image - sizeof at ||
                                           at - MZ__ARENA < MZ__ARENA_BYTES - sizeof at);
}

static known *add(const mz__block *b)
{
    heap.blocks = mz_grow(heap.blocks, &heap.capacity, heap.count + 1, sizeof *heap.blocks);
    known *k = &heap.blocks[heap.count++];
    *k = (known){.thread = b->thread,
                 .number = b->number,
                 .start = b->start,
                 .allocated_by = b->allocated_by,
                 .size = b->size};
    return k;
}

/* The pointer's type tells what the block is, unless another one tells more. */
static void meet(void *context, const mz_pointer *pointer)
{
    mz__block block;
    mz_type type = pointer->type;
    uint64_t size;
    (void)context;
    if (pointer->at && !can_be_read(pointer->at))
        return;
    uintptr_t target = pointer->at ? *(const uintptr_t *)pointer->at : pointer->value;
    if (target - MZ__ARENA >= MZ__HEAPS || !mz__heap_find(target, &block) || block.start != target ||
        block.start == mz__w.libc_variables || !mz_symbols_type_size(mz__w.symbols, type, &size) ||
        size > block.size)
        return;
    bool record = mz_symbols_type_is_record(mz__w.symbols, type);
    if (!record && block.size == 1) /* that the pointer leads to what it leads to tells nothing */
        return;
    known *k = find(&block);
    if (!k && heap.count == MOST_BLOCKS)
        return;
    k = k ? k : add(&block);
    if (k->type_size >= size)
        return;
    k->type = type;
    k->type_size = size;
    k->pointer = pointer->at;
    k->variable = pointer->variable;
    k->is_record = record && (block.size < 2 * size || mz_symbols_type_is_open(mz__w.symbols, type));
    k->searched = 0;
    mz_release(k->name);
    k->name = NULL;
}

static void follow_frames(mz_frame frame)
{
    mz_frame caller;
    enum { MOST_FRAMES = 64 };
    for (int depth = 0; depth < MOST_FRAMES && mz_symbols_frame(mz__w.symbols, &frame); depth++) {
        mz_symbols_local_pointers(mz__w.symbols, &frame, meet, NULL);
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
}

void mz__learn_heap_names(void)
{
    heap.search++;
    mz_symbols_global_pointers(mz__w.symbols, meet, NULL);
    for (uint32_t t = 0; t < mz__w.birth_count; t++) {
        mz_frame frame;
        if (mz__frame_of_thread(t, &frame))
            follow_frames(frame);
    }
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < heap.count; i++) {
            mz__block block;
            const known k = heap.blocks[i];
            if (k.searched == heap.search || !mz__heap_find(k.start, &block) || !is_same(&k, &block))
                continue;
            heap.blocks[i].searched = heap.search;
            again = true;
            mz_symbols_pointers_in(mz__w.symbols, k.type, k.start, k.size, meet, NULL);
        }
    }
}

/* ---- names ----------------------------------------------------------------------------------------------
 */

/* Of the variable or member that is the pointer. */
static void name_pointer(const known *k, mz_text *out)
{
    mz_value_type ignored;
    mz__block block;
    const size_t size = sizeof k->pointer;
    bool in_heap = k->pointer - MZ__ARENA < MZ__HEAPS && mz__heap_find(k->pointer, &block);
    if (in_heap && mz__name_in_block(&block, k->pointer, size, out, &ignored))
        return;
    if (k->variable)
        mz_text_add(out, "%s", k->variable);
    else if (!mz_symbols_data(mz__w.symbols, k->pointer, size, out, &ignored))
        mz_text_add(out, "block %u.%u", k->thread, k->number);
}

static const char *name_of(known *k)
{
    mz_text name = {0};
    if (k->name)
        return k->name;
    size_t at = (size_t)(k - heap.blocks); /* others may be found meanwhile */
    if (!k->is_record || !mz_symbols_type_name(mz__w.symbols, k->type, &name))
        name_pointer(k, &name);
    heap.blocks[at].name = mz_copy_string(mz_text_string(&name));
    mz_text_release(&name);
    return heap.blocks[at].name;
}

static bool has_namesakes(size_t at)
{
    if (!heap.blocks[at].is_record)
        return false;
    for (size_t i = 0; i < heap.count; i++)
        if (i != at && heap.blocks[i].is_record &&
            strcmp(name_of(&heap.blocks[i]), heap.blocks[at].name) == 0)
            return true;
    return false;
}

/* Not of a record and not of an array: all that is to be said is that a pointer leads there. */
static bool is_target(const known *k)
{
    return !k->is_record && k->size < 2 * k->type_size;
}

static bool add_name(const mz__block *block, size_t *index, mz_text *out)
{
    known *k = find(block);
    if (heap.depth >= DEEPEST)
        return false;
    if (!k || k->type_size < block->size) {
        mz__learn_heap_names();
        k = find(block);
    }
    if (!k)
        return false;
    heap.depth++;
    *index = (size_t)(k - heap.blocks);
    mz_text_add(out, "%s%s", is_target(k) ? "*" : "", name_of(k));
    if (has_namesakes(*index))
        mz_text_add(out, "#%u.%u", block->thread, block->number);
    heap.depth--;
    return true;
}

bool mz__name_block(const mz__block *block, mz_text *out)
{
    size_t index;
    return add_name(block, &index, out);
}

bool mz__name_in_block(const mz__block *block, uintptr_t address, size_t size, mz_text *out,
                       mz_value_type *kind)
{
    size_t index;
    mz_text member = {0};
    if (!add_name(block, &index, out))
        return false;
    const known *k = &heap.blocks[index];
    uint64_t offset = address - block->start, element = offset / k->type_size;
    bool is_one = k->is_record || block->size < 2 * k->type_size;
    if (is_one)
        mz_symbols_member(mz__w.symbols, k->type, offset, size, &member, kind);
    else
        mz_symbols_member(mz__w.symbols, k->type, offset % k->type_size, size, &member, kind);
    const char *spelled = mz_text_string(&member);
    if (!is_one)
        mz_text_add(out, "[%lu]", (unsigned long)element);
    if (is_one && spelled[0] == '.')
        mz_text_add(out, "->%s", spelled + 1);
    else
        mz_text_add(out, "%s", spelled);
    mz_text_release(&member);
    return true;
}
