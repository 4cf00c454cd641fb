/* Leaks: blocks that nobody can free any more when the program ends (--check=leaks).
 *
 * What is reachable is found as by a conservative collector: every word of the program's variables, of stacks
 * in use and thread-local variables of threads that have not returned, and of reachable blocks may be a
 * pointer, to the beginning or into the middle of a block. So a number that looks like an address hides a
 * leak, but what is reported is one, unless the program hides pointers (all but their upper 16 bits are
 * looked at, which may be a count).
 *
 * The end of an execution is a state that all executions of the same trace have in common: looking there,
 * once for each of them, misses no trace. What is below a stack pointer, which would depend on more, is not
 * looked at. */

#include <stdlib.h>

#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/describe/suppressions.h"
#include "program/describe/warnings.h"
#include "program/machine/leaks.h"
#include "program/memory/heap.h"
#include "program/pthread/endings.h"
#include "program/world/world.h"

typedef struct candidate {
    uintptr_t start;
    size_t size;
    uintptr_t allocated_by;
    uint32_t thread;
    bool reached;
    bool referred_to; /* by another one that is lost */
} candidate;

static candidate *blocks; /* by address */
static size_t block_count, block_capacity;
static size_t *waiting; /* reached, but not looked through yet */
static size_t waiting_count, waiting_capacity;

/* A short number is none; that it looks like one together with its neighbour is a coincidence as above.
 * Single bytes may come from a pointer that has been accessed in parts. */
bool mz__may_refer_to_blocks(uint32_t cell)
{
    const mz__cell *c = &mz__w.cells[cell];
    return !c->object && c->size != sizeof(uint16_t) && c->size != sizeof(uint32_t);
}

/* ---- which blocks are reached ----------------------------------------------------------------------------
 */

static void collect(void)
{
    block_count = 0;
    for (uint32_t t = 0; t < mz__w.state.thread_count; t++)
        for (mz__block b = {0}; mz__heap_next(t, b.start, &b);) {
            if (b.freed_by)
                continue;
            blocks = mz_grow(blocks, &block_capacity, block_count + 1, sizeof *blocks);
            blocks[block_count++] = (candidate){b.start, b.size, b.allocated_by, b.thread, false, false};
        }
}

/* The block into which a pointer points; NULL if there is none. */
static candidate *target_of(uintptr_t pointer)
{
    pointer &= (UINT64_C(1) << 48) - 1;
    if (pointer - MZ__ARENA >= MZ__HEAPS)
        return NULL;
    size_t low = 0, high = block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].start <= pointer)
            low = middle + 1;
        else
            high = middle;
    }
    candidate *c = low > 0 ? &blocks[low - 1] : NULL;
    return c && (pointer - c->start < c->size || pointer == c->start) ? c : NULL;
}

static void reach(uintptr_t pointer)
{
    candidate *c = target_of(pointer);
    if (!c || c->reached)
        return;
    c->reached = true;
    waiting = mz_grow(waiting, &waiting_capacity, waiting_count + 1, sizeof *waiting);
    waiting[waiting_count++] = (size_t)(c - blocks);
}

static void refer(uintptr_t pointer)
{
    candidate *c = target_of(pointer);
    if (c)
        c->referred_to = true;
}

static void for_each_word(uintptr_t begin, uintptr_t end, void (*visit)(uintptr_t))
{
    for (uintptr_t at = (begin + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8)
        visit(*(const uintptr_t *)at);
}

static void reach_the_rest(void)
{
    while (waiting_count > 0) {
        const candidate *c = &blocks[waiting[--waiting_count]];
        for_each_word(c->start, c->start + c->size, reach);
    }
}

static void reach_from_thread(const mz__thread *t)
{
    const mz__registers *left = &mz__w.left_at[t->number];
    bool exited = t->life == MZ__FINISHED;
    uintptr_t sp = exited ? left->sp : t->entry_sp, record = (uintptr_t)&t->sp;
    if (t->returned) {
        if (!t->detached && !mz_threads_has(mz__w.state.joined, t->number))
            reach((uintptr_t)t->cold.result); /* for whoever joins it */
        return;
    }
    for_each_word(sp, t->stack_top, reach);
    for_each_word(mz__tls_block(t->number), mz__tls_block(t->number) + mz__w.memory.tls_bytes, reach);
    for (size_t i = 0; exited && i < sizeof left->preserved / sizeof *left->preserved; i++)
        reach(left->preserved[i]);
    if (!exited && record - (uintptr_t)t->sp < MZ__HOOK_STACK_BYTES) /* what it has in registers is there */
        for_each_word((uintptr_t)t->sp, record, reach);
    mz__for_each_value(t->number, reach);
}

static void reach_from_everywhere(void)
{
    const mz__memory *m = &mz__w.memory;
    for_each_word(m->image, m->image_end, reach);
    for (size_t i = 0; i < block_count;
         i++) /* arguments, our own variables, what constructors have allocated */
        if (blocks[i].thread == 0 && blocks[i].start < MZ__ARENA + mz__w.initial_heap)
            reach(blocks[i].start);
    for (uint32_t t = 0; t < mz__w.state.thread_count; t++)
        if (mz__w.threads[t].life != MZ__UNBORN)
            reach_from_thread(&mz__w.threads[t]);
    mz__for_each_key(reach);
    reach_the_rest();
}

/* ---- what to report --------------------------------------------------------------------------------------
 */

/* All that were allocated at this place by this thread. */
static void report(const candidate *first)
{
    size_t count = 0, bytes = 0;
    mz_suppression_name names[MZ__NAMES_OF_PLACE];
    if (mz_suppressed(mz__w.suppressions, MZ_SUPPRESS_LEAK, names,
                      mz__names_of_place(first->allocated_by, names)))
        return;
    for (size_t i = 0; i < block_count; i++) {
        candidate *c = &blocks[i];
        if (c->reached || c->referred_to || c->thread != first->thread ||
            c->allocated_by != first->allocated_by)
            continue;
        count++;
        bytes += c->size;
    }
    mz_text text = {0};
    mz_text_add(&text, "leak: nothing refers to ");
    if (count == 1)
        mz_text_add(&text, "a block of %zu bytes any more, allocated ", bytes);
    else
        mz_text_add(&text, "%zu blocks of %zu bytes altogether any more, allocated ", count, bytes);
    mz__add_site(&text, first->thread, first->allocated_by);
    mz__report_for(MZ_FAIL_LEAK, first->thread, first->allocated_by, &text);
}

static bool was_reported(const candidate *c)
{
    for (const candidate *before = blocks; before < c; before++)
        if (!before->reached && !before->referred_to && before->thread == c->thread &&
            before->allocated_by == c->allocated_by)
            return true;
    return false;
}

/* Of what is lost, the blocks by which the others could be reached: those that no other one refers to; of a
 * ring, the first. */
static void find_heads(void)
{
    for (size_t i = 0; i < block_count; i++) {
        const candidate *c = &blocks[i];
        if (!c->reached)
            for_each_word(c->start, c->start + c->size, refer);
    }
    for (size_t i = 0; i < block_count; i++) { /* what follows the heads is accounted for */
        if (blocks[i].reached || blocks[i].referred_to)
            continue;
        for_each_word(blocks[i].start, blocks[i].start + blocks[i].size, reach);
        reach_the_rest();
    }
    for (size_t i = 0; i < block_count; i++) {
        if (blocks[i].reached || !blocks[i].referred_to)
            continue;
        blocks[i].referred_to = false;
        for_each_word(blocks[i].start, blocks[i].start + blocks[i].size, reach);
        reach_the_rest();
        blocks[i].reached = false; /* by itself */
    }
}

void mz__look_for_leaks(void)
{
    collect();
    reach_from_everywhere();
    find_heads();
    for (size_t i = 0; i < block_count; i++)
        if (!blocks[i].reached && !blocks[i].referred_to && !was_reported(&blocks[i]))
            report(&blocks[i]);
}
