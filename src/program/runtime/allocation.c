/* Allocating and freeing memory.
 *
 * Nothing is used twice within an execution, or between two loop boundaries: an address depends on the
 * thread, its own allocations and the blocks at the last boundary alone, allocations of different threads
 * commute, and a freed block stays recognisable. */

#include <stdio.h>

#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/describe/stuck.h"
#include "program/memory/block_header.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/order/initialised.h"
#include "program/runtime/accesses.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

static uintptr_t aligned_behind(uintptr_t at, size_t alignment)
{
    return (at + MZ__HEADER + alignment - 1) & ~(uintptr_t)(alignment - 1);
}

/* Where a block with so much room can begin: in the lowest hole that is large enough, or behind all others.
 */
static uintptr_t place_for(const mz__thread *t, size_t room, size_t alignment)
{
    uintptr_t at = mz__heap_start(t->number);
    for (mz__block b = {0}; t->cold.heap_has_holes && mz__heap_next(t->number, b.start, &b);) {
        uintptr_t block = aligned_behind(at, alignment);
        if (block + room >= block && block + room + MZ__HEADER <= b.start)
            return block;
        at = b.start + mz__padded(b.size) + mz__gap_behind(b.size);
    }
    return aligned_behind(mz__heap_start(t->number) + t->cold.heap_used, alignment);
}

enum { LOOK_EVERY = 64 << 20 };

/* A step that allocates more and more is not seen by the search, which looks at its limits between two. */
static void look_at_memory(uint64_t heap_used, uintptr_t pc)
{
    bool again = mz__w.current && mz__takes_much_here(heap_used);
    bool too_much = mz_memory_now() > mz__w.memory_limit || mz__trail_now.used > MZ__MOST_TRAIL;
    if (!mz__w.current || mz__w.memory_limit == 0 || (!again && !too_much))
        return;
    if (!again)
        mz__has_taken_much(heap_used);
    mz__give_up(pc, "the memory limit of %llu MiB was reached in one step of thread %u (--max-memory)",
                (unsigned long long)(mz__w.memory_limit >> 20), mz__me());
}

/* Its header and what is valid of it, both of which are saved. */
static void begin_life(uintptr_t block, size_t bytes, mz__cold *cold, uintptr_t pc)
{
    *(mz__header *)(block - MZ__HEADER) = (mz__header){.size = bytes & ((UINT64_C(1) << 36) - 1),
                                                       .allocated_in = mz__me() & (MZ_WIDE_THREADS - 1),
                                                       .allocated_by = pc,
                                                       .magic = MZ__MAGIC + ++cold->allocations};
    memset(mz__valid_of(block), 8, bytes / 8);
    if (bytes % 8)
        *mz__valid_of(block + bytes) = (uint8_t)(bytes % 8);
}

void *mz__heap_allocate(size_t bytes, size_t alignment, uintptr_t pc)
{
    mz__thread *t = mz__w.current ? mz__w.current : &mz__w.threads[0];
    uint32_t number = t->number;
    if (alignment < MZ__LEAST_ALIGNMENT)
        alignment = MZ__LEAST_ALIGNMENT;
    size_t room = (mz__w.reuses > 0 ? mz__heap_room(bytes) : mz__padded(bytes)) + mz__gap_behind(bytes);
    uintptr_t block = place_for(t, room, alignment);
    if (room < bytes || block + room + MZ__HEADER > mz__heap_start(0) + (number + 1) * MZ__HEAP_BYTES ||
        block + room < block)
        return NULL;
    mz__cold *cold = mz__cold_of(t);
    size_t used = block + room - mz__heap_start(number);
    if (used / LOOK_EVERY > cold->heap_used / LOOK_EVERY)
        look_at_memory(used, pc);
    if (used > cold->heap_used)
        cold->heap_used = used;
    mz__save_zero((void *)(block - MZ__HEADER), MZ__HEADER);
    mz__save_zero(mz__valid_of(block), (bytes + 7) / 8);
    begin_life(block, bytes, cold, pc);
    if (!mz__w.current) /* what constructors write is not seen */
        mz__has_written(block, bytes);
    return (void *)block;
}

/* ---- the end of a block ---------------------------------------------------------------------------------
 */

/* The error names what was done, and then the block. */
static __attribute__((noreturn)) void fail_to_free(const char *what, const mz__header *h, uintptr_t pc)
{
    mz_text text = {0};
    mz__block block = mz__block_of(h);
    mz_text_add(&text, "%s ", what);
    mz__heap_add_life(&text, &block);
    mz__fail_with(MZ_FAIL_MEMORY, pc, &text);
}

static void check_family(const mz__header *h, mz__family family, uintptr_t pc)
{
    static const char *const allocated[] = {"malloc", "new", "new[]"}, *const freed[] = {"free", "delete",
                                                                                         "delete[]"};
    char what[64];
    if (h->family == family)
        return;
    snprintf(what, sizeof what, "%s of what comes from %s:", freed[family], allocated[h->family]);
    fail_to_free(what, h, pc);
}

/* No block begins there: what is there instead? */
static __attribute__((noreturn)) void fail_to_find(uintptr_t address, uintptr_t pc)
{
    mz_text text = {0};
    mz_value_type kind;
    mz_text_add(&text, "free of an address that malloc did not return: ");
    if (address - MZ__ARENA < MZ__HEAPS)
        mz__heap_describe(address, &text);
    else if (mz__shadow_of(address))
        mz__name_data(address, 0, &text, &kind);
    else
        mz_text_add(&text, "%#lx", (unsigned long)address);
    mz__fail_with(MZ_FAIL_MEMORY, pc, &text);
}

void mz__heap_free(void *block, uintptr_t pc)
{
    mz__heap_delete(block, MZ__BY_MALLOC, pc);
}

/* Another thread has freed it, perhaps in an order that nothing forces. Where races are no errors that is
 * found out by accessing the block, as for any other access (accesses.c): both orders are to be explored. */
static bool is_later_half_of_race(const mz__header *h)
{
    return mz__w.tolerates_races && h->freed_in != (mz__me() & (MZ_WIDE_THREADS - 1));
}

/* It will be used all the same. */
static __attribute__((noinline)) void remark_free(uintptr_t block, uintptr_t pc)
{
    mz_text *words = mz__remark(pc);
    if (!words)
        return;
    mz_text_add(words, "frees ");
    mz__name_target(block, 1, words);
}

void mz__heap_delete(void *block, mz__family family, uintptr_t pc)
{
    mz__header *h = mz__header_of(block);
    if (!h &&
        mz__header_of((char *)block - 8)) /* an array whose number of elements stands in front of them */
        check_family(mz__header_of((char *)block - 8), family, pc);
    if (!h)
        fail_to_find((uintptr_t)block, pc);
    if (h->freed_by && !is_later_half_of_race(h)) {
        mz__blame_others((uintptr_t)block, true, pc);
        fail_to_free("freed twice:", h, pc);
    }
    check_family(h, family, pc);
    mz__is_own_only((uintptr_t)block);
    mz__caller.pc = pc;
    mz__last_access((uintptr_t)block, h->size); /* whoever uses it at the same time races with us */
    if (h->freed_by)                            /* meanwhile: races are no errors here */
        fail_to_free("freed twice:", h, pc);
    mz__touch(h, sizeof *h);
    if (MZ_UNLIKELY((uintptr_t)block == mz__w.watch_block))
        remark_free((uintptr_t)block, pc);
    h->freed_by = mz__call_in_program();
    h->freed_in = mz__me() & (MZ_WIDE_THREADS - 1);
    size_t granules = (h->size + 7) / 8;
    mz__save(mz__valid_of((uintptr_t)block), granules);
    memset(mz__valid_of((uintptr_t)block), 0, granules);
}

/* ---- used again (reuse.c) --------------------------------------------------------------------------------
 */

/* As new as any other: zero, and not written yet. */
void mz__heap_take(uintptr_t block, size_t bytes, uintptr_t pc)
{
    size_t room = mz__heap_room(bytes);
    mz__touch((void *)(block - MZ__HEADER), MZ__HEADER);
    mz__save(mz__valid_of(block), (room + 7) / 8);
    mz__save((void *)block, room);
    memset((void *)block, 0, room);
    mz__forget_written(block, room);
    begin_life(block, bytes, mz__cold_of(mz__w.current), pc);
}
