/* Blocks of memory. Before each stands a header that says all there is to know about it; around it is room
 * that belongs to nobody, so that whoever runs over its end does not come straight to the next one. */
#include <sys/mman.h>

#include "program/memory/block_header.h"
#include "program/memory/heap.h"
#include "program/world/world.h"

/* How much of it can be written without being seen, at least: a freed block of the same is as good. */
size_t mz__heap_room(size_t bytes)
{
    return mz__padded(bytes > 0 ? bytes : 1);
}

static void release(void *begin, size_t bytes)
{
    enum { PAGE = 4096 };
    uintptr_t from = ((uintptr_t)begin + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t to = ((uintptr_t)begin + bytes) & ~(uintptr_t)(PAGE - 1);
    if (from < to)
        madvise((void *)from, to - from, MADV_DONTNEED);
}

/* At the beginning of an execution: nothing is allocated but what was before main. All that is zero again,
 * and need not be there to be so. */
void mz__heap_release(void)
{
    uintptr_t begin = mz__heap_start(0) + mz__w.initial_heap;
    release((void *)begin, MZ__ARENA + MZ__HEAPS - begin);
    release(mz__valid_of(begin), (MZ__ARENA + MZ__HEAPS - begin) / 8);
    mz__trail_release();
    mz__w.takes_too_much = false;
}

bool mz__heap_has(uintptr_t address, size_t size)
{
    for (uintptr_t a = address; a < address + size; a = (a | 7) + 1) {
        uintptr_t end = (a | 7) + 1 < address + size ? (a | 7) + 1 : address + size;
        if (*mz__valid_of(a) < ((end - 1) & 7) + 1)
            return false;
    }
    return true;
}

static bool is_header(const mz__header *h)
{
    return h->magic - MZ__MAGIC <= UINT32_MAX && h->magic > MZ__MAGIC;
}

mz__header *mz__header_of(const void *block)
{
    uintptr_t address = (uintptr_t)block;
    if (address - MZ__ARENA >= MZ__HEAPS || address % MZ__LEAST_ALIGNMENT ||
        address - mz__heap_start(0) < MZ__HEADER)
        return NULL;
    mz__header *h = (mz__header *)(address - MZ__HEADER);
    return is_header(h) ? h : NULL;
}

void mz__heap_set_zeroed(void *block)
{
    mz__header_of(block)->zeroed = true; /* fresh: its header is on the trail */
}

size_t mz__heap_size(const void *block)
{
    const mz__header *h = mz__header_of(block);
    return h ? h->size : 0;
}

bool mz__heap_is_of_family(const void *block, mz__family family)
{
    const mz__header *h = mz__header_of(block);
    return h && h->family == family;
}

void mz__heap_set_family(void *block, mz__family family)
{
    mz__header_of(block)->family = family; /* fresh: its header is on the trail */
}

mz__block mz__block_of(const mz__header *h)
{
    uintptr_t start = (uintptr_t)h + MZ__HEADER;
    return (mz__block){.start = start,
                       .size = h->size,
                       .allocated_by = h->allocated_by,
                       .freed_by = h->freed_by,
                       .thread = h->allocated_in,
                       .number = (uint32_t)(h->magic - MZ__MAGIC),
                       .freed_in = h->freed_in,
                       .family = h->family,
                       .zeroed = h->zeroed};
}

void mz__heap_offer(uintptr_t block)
{
    mz__header *h = (mz__header *)(block - MZ__HEADER);
    mz__touch(h, sizeof *h);
    h->offered = true;
}

bool mz__heap_is_offered(uintptr_t block, size_t room)
{
    const mz__header *h = mz__header_of((const void *)block);
    return h && h->offered && mz__heap_room(h->size) == room;
}

bool mz__heap_may_hold(uint32_t thread, uintptr_t block)
{
    return block - mz__heap_start(thread) < mz__w.threads[thread].cold.heap_used;
}

bool mz__heap_next(uint32_t thread, uintptr_t after, mz__block *found)
{
    uintptr_t at = mz__heap_start(thread), end = at + mz__w.threads[thread].cold.heap_used;
    const mz__header *last =
        mz__header_of((const void *)after); /* a block of ours, or nothing in particular */
    if (last)
        at = after + mz__padded(last->size) + mz__gap_behind(last->size);
    for (; at < end; at += MZ__LEAST_ALIGNMENT) {
        const mz__header *h = (const mz__header *)at;
        if (!is_header(h))
            continue;
        if (at + MZ__HEADER > after) {
            *found = mz__block_of(h);
            return true;
        }
        at += MZ__HEADER + mz__padded(h->size) + mz__gap_behind(h->size) - MZ__LEAST_ALIGNMENT;
    }
    return false;
}

/* As if it had never been there: what is allocated next is to be zero, and to have no header. */
static void erase(const mz__block *block)
{
    void *begin = (void *)(block->start - MZ__HEADER);
    size_t bytes = MZ__HEADER + mz__padded(block->size);
    mz__save(begin, bytes);
    memset(begin, 0, bytes);
}

void mz__heap_tidy(uint32_t thread)
{
    uintptr_t end = mz__heap_start(thread);
    bool any = mz__w.threads[thread].cold.heap_has_holes;
    mz__block block, next;
    for (bool more = mz__heap_next(thread, 0, &block); more; block = next) {
        more = mz__heap_next(thread, block.start, &next);
        if (block.freed_by) {
            erase(&block);
            any = true;
        } else {
            end = block.start + mz__padded(block.size) + mz__gap_behind(block.size);
        }
    }
    if (!any)
        return;
    mz__cold *cold = mz__cold_of(&mz__w.threads[thread]);
    cold->heap_used = end - mz__heap_start(thread);
    cold->heap_has_holes = cold->heap_used > 0;
}

bool mz__heap_find(uintptr_t address, mz__block *found)
{
    if (address - MZ__ARENA >= MZ__HEAPS)
        return false;
    uint32_t number = (uint32_t)((address - MZ__ARENA) / MZ__HEAP_BYTES);
    bool any = false; /* only reports ask: going through all of them is good enough */
    for (mz__block block = {0}; mz__heap_next(number, block.start, &block) && block.start <= address;
         any = true)
        *found = block;
    return any;
}
