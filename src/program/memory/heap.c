/* Blocks of memory. Before each stands a header that says all there is to know about it; around it is room
 * that belongs to nobody, so that whoever runs over its end does not come straight to the next one. */
#include "program/memory/heap.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "program/memory/initialised.h"
#include "program/runtime/schedule.h"

enum { HEADER = 32, LEAST_ALIGNMENT = 16, WIDEST_GAP = 256, LOOK_EVERY = 64 << 20 };
#define MAGIC UINT64_C(0x6d617a75726b6121)

/* Stands before every block. */
typedef struct header {
    uint64_t size : 36, family : 6, zeroed : 1, offered : 1;
    uint64_t freed_in : MZ_WIDE_THREAD_BITS, allocated_in : MZ_WIDE_THREAD_BITS; /* threads */
    uintptr_t allocated_by, freed_by;
    uint64_t magic; /* + number of the allocation in its thread */
} header;

static uintptr_t heap_start(uint32_t thread)
{
    return MZ__ARENA + thread * MZ__HEAP_BYTES + thread * MZ__COLOUR;
}

static uint8_t *valid_of(uintptr_t address)
{
    return mz__w.memory.heap_valid + ((address - MZ__ARENA) >> 3);
}

static size_t padded(size_t bytes)
{
    return (bytes + LEAST_ALIGNMENT - 1) & ~(size_t)(LEAST_ALIGNMENT - 1);
}

/* Behind a block, beside the next one's header: a small array may be overrun by as much as it is long. */
static size_t gap_behind(size_t bytes)
{
    return padded(bytes < WIDEST_GAP ? bytes : WIDEST_GAP);
}

static uintptr_t aligned_behind(uintptr_t at, size_t alignment)
{
    return (at + HEADER + alignment - 1) & ~(uintptr_t)(alignment - 1);
}

/* How much of it can be written without being seen, at least: a freed block of the same is as good. */
size_t mz__heap_room(size_t bytes)
{
    return padded(bytes > 0 ? bytes : 1);
}

/* Where a block with so much room can begin: in the lowest hole that is large enough, or behind all others.
 */
static uintptr_t place_for(const mz__thread *t, size_t room, size_t alignment)
{
    uintptr_t at = heap_start(t->number);
    for (mz__block b = {0}; t->rare.heap_has_holes && mz__heap_next(t->number, b.start, &b);) {
        uintptr_t block = aligned_behind(at, alignment);
        if (block + room >= block && block + room + HEADER <= b.start)
            return block;
        at = b.start + padded(b.size) + gap_behind(b.size);
    }
    return aligned_behind(heap_start(t->number) + t->rare.heap_used, alignment);
}

/* Nothing is used twice within an execution, or between two loop boundaries: an address depends on the
 * thread, its own allocations and the blocks at the last boundary alone, allocations of different threads
 * commute, and a freed block stays recognisable. */
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
    uintptr_t begin = heap_start(0) + mz__w.initial_heap;
    release((void *)begin, MZ__ARENA + MZ__HEAPS - begin);
    release(valid_of(begin), (MZ__ARENA + MZ__HEAPS - begin) / 8);
    mz__trail_release();
    mz__w.takes_too_much = false;
}

/* Its header and what is valid of it, both of which are saved. */
static void begin_life(uintptr_t block, size_t bytes, mz__rare *rare, uintptr_t pc)
{
    *(header *)(block - HEADER) = (header){.size = bytes & ((UINT64_C(1) << 36) - 1),
                                           .allocated_in = mz__me() & (MZ_WIDE_THREADS - 1),
                                           .allocated_by = pc,
                                           .magic = MAGIC + ++rare->allocations};
    memset(valid_of(block), 8, bytes / 8);
    if (bytes % 8)
        *valid_of(block + bytes) = (uint8_t)(bytes % 8);
}

void *mz__heap_allocate(size_t bytes, size_t alignment, uintptr_t pc)
{
    mz__thread *t = mz__w.current ? mz__w.current : &mz__w.threads[0];
    uint32_t number = t->number;
    if (alignment < LEAST_ALIGNMENT)
        alignment = LEAST_ALIGNMENT;
    size_t room = (mz__w.reuses > 0 ? mz__heap_room(bytes) : padded(bytes)) + gap_behind(bytes);
    uintptr_t block = place_for(t, room, alignment);
    if (room < bytes || block + room + HEADER > heap_start(0) + (number + 1) * MZ__HEAP_BYTES ||
        block + room < block)
        return NULL;
    mz__rare *rare = mz__rarely(t);
    size_t used = block + room - heap_start(number);
    if (used / LOOK_EVERY > rare->heap_used / LOOK_EVERY)
        look_at_memory(used, pc);
    if (used > rare->heap_used)
        rare->heap_used = used;
    mz__save_zero((void *)(block - HEADER), HEADER);
    mz__save_zero(valid_of(block), (bytes + 7) / 8);
    begin_life(block, bytes, rare, pc);
    if (!mz__w.current) /* what constructors write is not seen */
        mz__has_written(block, bytes);
    return (void *)block;
}

bool mz__heap_has(uintptr_t address, size_t size)
{
    for (uintptr_t a = address; a < address + size; a = (a | 7) + 1) {
        uintptr_t end = (a | 7) + 1 < address + size ? (a | 7) + 1 : address + size;
        if (*valid_of(a) < ((end - 1) & 7) + 1)
            return false;
    }
    return true;
}

static bool is_header(const header *h)
{
    return h->magic - MAGIC <= UINT32_MAX && h->magic > MAGIC;
}

static header *header_of(const void *block)
{
    uintptr_t address = (uintptr_t)block;
    if (address - MZ__ARENA >= MZ__HEAPS || address % LEAST_ALIGNMENT || address - heap_start(0) < HEADER)
        return NULL;
    header *h = (header *)(address - HEADER);
    return is_header(h) ? h : NULL;
}

void mz__heap_set_zeroed(void *block)
{
    header_of(block)->zeroed = true; /* fresh: its header is on the trail */
}

size_t mz__heap_size(const void *block)
{
    const header *h = header_of(block);
    return h ? h->size : 0;
}

bool mz__heap_is_of_family(const void *block, mz__family family)
{
    const header *h = header_of(block);
    return h && h->family == family;
}

/* ---- words ----------------------------------------------------------------------------------------------
 */

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

static void add_life(mz_text *out, const mz__block *block)
{
    mz_text_add(out, "a block of %zu bytes, allocated ", block->size);
    mz__add_site(out, block->thread, block->allocated_by);
    if (!block->freed_by)
        return;
    mz_text_add(out, ", freed ");
    mz__add_site(out, block->freed_in, block->freed_by);
}

/* Between two blocks it is the nearer one that was meant. */
static bool is_nearer(uintptr_t address, const mz__block *next, const mz__block *before)
{
    return next->start - address < address - (before->start + before->size);
}

void mz__heap_describe(uintptr_t address, mz_text *out)
{
    uint32_t number = (uint32_t)((address - MZ__ARENA) / MZ__HEAP_BYTES);
    mz__block before, next;
    bool any = mz__heap_find(address, &before);
    bool inside = any && address - before.start < before.size;
    bool is_next = !inside && mz__heap_next(number, address, &next) && next.start - address <= HEADER;
    if (is_next && (!any || is_nearer(address, &next, &before))) {
        mz_text_add(out, "%zu bytes before ", (size_t)(next.start - address));
        add_life(out, &next);
    } else if (any) {
        if (inside)
            mz_text_add(out, "at byte %zu of ", (size_t)(address - before.start));
        else
            mz_text_add(out, "%zu bytes behind ", (size_t)(address - before.start - before.size));
        add_life(out, &before);
    } else {
        mz_text_add(out, "at address %#lx, where nothing is", (unsigned long)address);
    }
}

/* ---- the end of a block ---------------------------------------------------------------------------------
 */

void mz__heap_set_family(void *block, mz__family family)
{
    header_of(block)->family = family; /* fresh: its header is on the trail */
}

static mz__block block_of(const header *h)
{
    uintptr_t start = (uintptr_t)h + HEADER;
    return (mz__block){.start = start,
                       .size = h->size,
                       .allocated_by = h->allocated_by,
                       .freed_by = h->freed_by,
                       .thread = h->allocated_in,
                       .number = (uint32_t)(h->magic - MAGIC),
                       .freed_in = h->freed_in,
                       .family = h->family,
                       .zeroed = h->zeroed};
}

/* The error names what was done, and then the block. */
static __attribute__((noreturn)) void fail_to_free(const char *what, const header *h, uintptr_t pc)
{
    mz_text text = {0};
    mz__block block = block_of(h);
    mz_text_add(&text, "%s ", what);
    add_life(&text, &block);
    mz__fail_with(MZ_FAIL_MEMORY, pc, &text);
}

static void check_family(const header *h, mz__family family, uintptr_t pc)
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
    mz_value_kind kind;
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
static bool is_later_half_of_race(const header *h)
{
    return mz__w.tolerates_races && h->freed_in != (mz__me() & (MZ_WIDE_THREADS - 1));
}

void mz__heap_delete(void *block, mz__family family, uintptr_t pc)
{
    header *h = header_of(block);
    if (!h && header_of((char *)block - 8)) /* an array whose number of elements stands in front of them */
        check_family(header_of((char *)block - 8), family, pc);
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
    h->freed_by = mz__call_in_program();
    h->freed_in = mz__me() & (MZ_WIDE_THREADS - 1);
    size_t granules = (h->size + 7) / 8;
    mz__save(valid_of((uintptr_t)block), granules);
    memset(valid_of((uintptr_t)block), 0, granules);
}

/* ---- used again (reuse.c) --------------------------------------------------------------------------------
 */

void mz__heap_offer(uintptr_t block)
{
    header *h = (header *)(block - HEADER);
    mz__touch(h, sizeof *h);
    h->offered = true;
}

bool mz__heap_is_offered(uintptr_t block, size_t room)
{
    const header *h = header_of((const void *)block);
    return h && h->offered && mz__heap_room(h->size) == room;
}

bool mz__heap_may_hold(uint32_t thread, uintptr_t block)
{
    return block - heap_start(thread) < mz__w.threads[thread].rare.heap_used;
}

/* As new as any other: zero, and not written yet. */
void mz__heap_take(uintptr_t block, size_t bytes, uintptr_t pc)
{
    size_t room = mz__heap_room(bytes);
    mz__touch((void *)(block - HEADER), HEADER);
    mz__save(valid_of(block), (room + 7) / 8);
    mz__save((void *)block, room);
    memset((void *)block, 0, room);
    mz__forget_written(block, room);
    begin_life(block, bytes, mz__rarely(mz__w.current), pc);
}

/* ---- all blocks -----------------------------------------------------------------------------------------
 */

bool mz__heap_next(uint32_t thread, uintptr_t after, mz__block *found)
{
    uintptr_t at = heap_start(thread), end = at + mz__w.threads[thread].rare.heap_used;
    const header *last = header_of((const void *)after); /* a block of ours, or nothing in particular */
    if (last)
        at = after + padded(last->size) + gap_behind(last->size);
    for (; at < end; at += LEAST_ALIGNMENT) {
        const header *h = (const header *)at;
        if (!is_header(h))
            continue;
        if (at + HEADER > after) {
            *found = block_of(h);
            return true;
        }
        at += HEADER + padded(h->size) + gap_behind(h->size) - LEAST_ALIGNMENT;
    }
    return false;
}

/* As if it had never been there: what is allocated next is to be zero, and to have no header. */
static void erase(const mz__block *block)
{
    void *begin = (void *)(block->start - HEADER);
    size_t bytes = HEADER + padded(block->size);
    mz__save(begin, bytes);
    memset(begin, 0, bytes);
}

void mz__heap_tidy(uint32_t thread)
{
    uintptr_t end = heap_start(thread);
    bool any = mz__w.threads[thread].rare.heap_has_holes;
    mz__block block, next;
    for (bool more = mz__heap_next(thread, 0, &block); more; block = next) {
        more = mz__heap_next(thread, block.start, &next);
        if (block.freed_by) {
            erase(&block);
            any = true;
        } else {
            end = block.start + padded(block.size) + gap_behind(block.size);
        }
    }
    if (!any)
        return;
    mz__rare *rare = mz__rarely(&mz__w.threads[thread]);
    rare->heap_used = end - heap_start(thread);
    rare->heap_has_holes = rare->heap_used > 0;
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
