/* The program's memory: one region of address space for heaps and stacks, at the same place in every process,
 * and the writable segments of the loaded program. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "native/schedule.h"

enum { HEADER = 32, PAGE = 4096, COLOUR = 4096 + 5 * 64 };
#define MAGIC UINT64_C(0x6d617a75726b6121)

/* Stands before every block. */
typedef struct header {
    uint64_t size : 56, family : 8;
    uintptr_t allocated_by, freed_by;
    uint64_t magic; /* + number of the allocation in its thread */
} header;

static void *reserve(void *where, size_t bytes)
{
    int fixed = where ? MAP_FIXED_NOREPLACE : 0;
    void *p = mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed,
                   -1, 0);
    if (p == MAP_FAILED || (where && p != where)) {
        perror("mazurka: cannot reserve address space for the program");
        exit(4);
    }
    return p;
}

void mz__memory_create(void)
{
    mz__w.early_hook_stack = reserve(NULL, MZ__HOOK_STACK_BYTES);
    mz__hook_stack = mz__w.early_hook_stack + MZ__HOOK_STACK_BYTES; /* for constructors */
    mz__memory *m = &mz__w.memory;
    reserve((void *)MZ__ARENA, MZ__ARENA_BYTES);
    m->arena_shadow = reserve(NULL, MZ__ARENA_BYTES / 8 * sizeof(mz__shadow));
    m->heap_valid = reserve(NULL, MZ__HEAPS / 8);
    mz__w.chain = reserve(NULL, (size_t)MZ__WORD_IS_ATOMIC * sizeof(mz__shadow));
    mz__w.state.chain_used = 1;                   /* 0 is none */
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) /* a stack that grows too large runs into a hole */
        mprotect((void *)(MZ__ARENA + MZ__HEAPS + t * MZ__STACK_BYTES), PAGE, PROT_NONE);
}

uintptr_t mz__tls_block(uint32_t thread)
{
    const mz__memory *m = &mz__w.memory;
    /* Not all at the same place of a page: they would fight for the same lines of the cache. */
    uintptr_t end = MZ__ARENA + MZ__HEAPS + (thread + 1) * MZ__STACK_BYTES - thread * COLOUR;
    return (end - m->tls_bytes) & ~(uintptr_t)(m->tls_align > 64 ? m->tls_align - 1 : 63);
}

uintptr_t mz__stack_top(uint32_t thread)
{
    return mz__tls_block(thread);
}

bool mz__is_library(uintptr_t address, size_t size)
{
    const mz__memory *m = &mz__w.memory;
    for (size_t i = 0; i < m->library_count; i++)
        if (address >= m->libraries[i].begin && address + size <= m->libraries[i].end)
            return true;
    return false;
}

/* ---- heap --------------------------------------------------------------------------------------------- */

static uintptr_t heap_start(uint32_t thread)
{
    return MZ__ARENA + thread * MZ__HEAP_BYTES + thread * COLOUR;
}

static uint8_t *valid_of(uintptr_t address)
{
    return mz__w.memory.heap_valid + ((address - MZ__ARENA) >> 3);
}

/* Nothing is used twice within an execution: an address depends on the thread and its own allocations alone,
 * allocations of different threads commute, and a freed block stays recognisable. */
void *mz__heap_allocate(size_t bytes, size_t alignment, uintptr_t pc)
{
    mz__thread *t = mz__w.current ? mz__w.current : &mz__w.threads[0];
    uint32_t number = t->number;
    if (alignment < 16)
        alignment = 16;
    uintptr_t block =
        (heap_start(number) + t->rare.heap_used + HEADER + alignment - 1) & ~(uintptr_t)(alignment - 1);
    size_t padded = (bytes + 15) & ~(size_t)15;
    if (padded < bytes || block + padded + HEADER > heap_start(0) + (number + 1) * MZ__HEAP_BYTES)
        return NULL;
    mz__rare *rare = mz__rarely(t);
    rare->heap_used = block + padded - heap_start(number);
    rare->allocations++;
    header *h = (header *)(block - HEADER);
    mz__save_zero(h, sizeof *h);
    *h = (header){
        .size = bytes & ((UINT64_C(1) << 56) - 1), .allocated_by = pc, .magic = MAGIC + rare->allocations};
    mz__save_zero(valid_of(block), (bytes + 7) / 8);
    memset(valid_of(block), 8, bytes / 8);
    if (bytes % 8)
        *valid_of(block + bytes) = (uint8_t)(bytes % 8);
    return (void *)block;
}

static header *header_of(const void *block)
{
    uintptr_t address = (uintptr_t)block;
    if (address - MZ__ARENA >= MZ__HEAPS || address % 16 || address - heap_start(0) < HEADER)
        return NULL;
    header *h = (header *)(address - HEADER);
    return h->magic - MAGIC <= UINT32_MAX && h->magic > MAGIC ? h : NULL;
}

size_t mz__heap_size(const void *block)
{
    const header *h = header_of(block);
    return h ? h->size : 0;
}

void mz__heap_set_family(void *block, mz__family family)
{
    header_of(block)->family = family; /* fresh: its header is on the trail */
}

static void check_family(const header *h, mz__family family, uintptr_t pc)
{
    static const char *const allocated[] = {"malloc", "new", "new[]"}, *const freed[] = {"free", "delete",
                                                                                         "delete[]"};
    if (h->family == family)
        return;
    mz_position place;
    mz__position_of(h->allocated_by, &place);
    mz__fail(MZ_FAIL_MEMORY, pc, "%s of a block that comes from %s, at %s:%u", freed[family],
             allocated[h->family], place.file ? place.file : "?", place.line);
}

void mz__heap_free(void *block, uintptr_t pc)
{
    mz__heap_delete(block, MZ__BY_MALLOC, pc);
}

void mz__heap_delete(void *block, mz__family family, uintptr_t pc)
{
    header *h = header_of(block);
    if (!h && header_of((char *)block - 8)) /* an array whose number of elements stands in front of them */
        check_family(header_of((char *)block - 8), family, pc);
    if (!h)
        mz__fail(MZ_FAIL_MEMORY, pc, "free of an address that malloc did not return");
    if (h->freed_by) {
        mz_position first;
        mz__position_of(h->freed_by, &first);
        mz__fail(MZ_FAIL_MEMORY, pc, "freed twice; the first time at %s:%u", first.file ? first.file : "?",
                 first.line);
    }
    check_family(h, family, pc);
    mz__is_own_only((uintptr_t)block);
    mz__caller.pc = pc;
    mz__plain_access((uintptr_t)block, h->size, true); /* whoever uses it at the same time races with us */
    mz__touch(h, sizeof *h);
    h->freed_by = pc;
    size_t granules = (h->size + 7) / 8;
    mz__save(valid_of((uintptr_t)block), granules);
    memset(valid_of((uintptr_t)block), 0, granules);
}

bool mz__heap_find(uintptr_t address, mz__block *found)
{
    if (address - MZ__ARENA >= MZ__HEAPS)
        return false;
    uint32_t number = (uint32_t)((address - MZ__ARENA) / MZ__HEAP_BYTES);
    uintptr_t at = heap_start(number), end = at + mz__w.threads[number].rare.heap_used;
    bool any = false;
    while (at < end) { /* only reports ask: going through all of them is good enough */
        const header *h = (const header *)at;
        if (h->magic - MAGIC > UINT32_MAX || h->magic <= MAGIC) {
            at += 16;
            continue;
        }
        uintptr_t block = at + HEADER;
        if (block > address)
            break;
        *found =
            (mz__block){block, h->size, h->allocated_by, h->freed_by, number, (uint32_t)(h->magic - MAGIC)};
        any = true;
        at = block + ((h->size + 15) & ~(uint64_t)15);
    }
    return any;
}

/* ---- is it there? ------------------------------------------------------------------------------------- */

static void describe_missing(uintptr_t address, mz_text *out)
{
    mz__block block;
    mz_position place;
    if (address < PAGE) {
        mz_text_add(out, "through a null pointer (address %#lx)", (unsigned long)address);
    } else if (mz__heap_find(address, &block)) {
        size_t offset = address - block.start;
        mz__position_of(block.freed_by && offset < block.size ? block.freed_by : block.allocated_by, &place);
        if (block.freed_by && offset < block.size)
            mz_text_add(out, "at byte %zu of a block of %zu bytes that was freed at %s:%u", offset,
                        block.size, place.file ? place.file : "?", place.line);
        else
            mz_text_add(out, "%zu bytes behind a block of %zu bytes allocated at %s:%u", offset - block.size,
                        block.size, place.file ? place.file : "?", place.line);
    } else {
        mz_text_add(out, "at address %#lx, where nothing is", (unsigned long)address);
    }
}

static bool is_there(uintptr_t address, size_t size, bool writes)
{
    const mz__memory *m = &mz__w.memory;
    if (address - MZ__ARENA < MZ__HEAPS) {
        for (uintptr_t a = address; a < address + size; a = (a | 7) + 1) {
            uintptr_t end = (a | 7) + 1 < address + size ? (a | 7) + 1 : address + size;
            if (*valid_of(a) < ((end - 1) & 7) + 1)
                return false;
        }
        return true;
    }
    if (address - MZ__ARENA < MZ__ARENA_BYTES) {
        uint32_t owner = (uint32_t)((address - MZ__ARENA - MZ__HEAPS) / MZ__STACK_BYTES);
        uintptr_t offset = (address - MZ__ARENA - MZ__HEAPS) % MZ__STACK_BYTES;
        return owner < mz__w.state.thread_count && offset >= PAGE && !mz__w.threads[owner].returned;
    }
    if (address >= m->image && address + size <= m->image_end)
        return true;
    if (!writes && address >= m->code && address + size <= m->code_end)
        return true;
    return mz__is_library(address, size);
}

void mz__check_memory(const volatile void *memory, size_t size, bool writes, uintptr_t pc)
{
    uintptr_t address = (uintptr_t)memory;
    if (size == 0 || is_there(address, size, writes))
        return;
    if (!mz__w.current)
        return;                          /* a constructor: the system will say so */
    while (is_there(address, 1, writes)) /* the first byte that is not */
        address++;
    mz_text where = {0};
    describe_missing(address, &where);
    char text[256];
    snprintf(text, sizeof text, "%s", mz_text_string(&where));
    mz_text_release(&where);
    mz__fail(MZ_FAIL_MEMORY, pc, "%s %s", writes ? "write" : "read", text);
}
