/* What stands before every block of the heaps: for the files that make, find and describe blocks. */
#ifndef MZ_PROGRAM_MEMORY_BLOCK_HEADER_H
#define MZ_PROGRAM_MEMORY_BLOCK_HEADER_H

#include "program/memory/heap.h"
#include "program/world/world.h"

enum { MZ__HEADER = 32, MZ__LEAST_ALIGNMENT = 16, MZ__WIDEST_GAP = 256 };
#define MZ__MAGIC UINT64_C(0x6d617a75726b6121)

/* Stands before every block. */
typedef struct mz__header {
    uint64_t size : 36, family : 6, zeroed : 1, offered : 1;
    uint64_t freed_in : MZ_WIDE_THREAD_BITS, allocated_in : MZ_WIDE_THREAD_BITS; /* threads */
    uintptr_t allocated_by, freed_by;
    uint64_t magic; /* + number of the allocation in its thread */
} mz__header;

static inline uintptr_t mz__heap_start(uint32_t thread)
{
    return MZ__ARENA + thread * MZ__HEAP_BYTES + thread * MZ__COLOUR;
}

static inline uint8_t *mz__valid_of(uintptr_t address)
{
    return mz__w.memory.heap_valid + ((address - MZ__ARENA) >> 3);
}

static inline size_t mz__padded(size_t bytes)
{
    return (bytes + MZ__LEAST_ALIGNMENT - 1) & ~(size_t)(MZ__LEAST_ALIGNMENT - 1);
}

/* Behind a block, beside the next one's header: a small array may be overrun by as much as it is long. */
static inline size_t mz__gap_behind(size_t bytes)
{
    return mz__padded(bytes < MZ__WIDEST_GAP ? bytes : MZ__WIDEST_GAP);
}

/* The header of a block that begins there; NULL: none does. */
mz__header *mz__header_of(const void *block);
mz__block mz__block_of(const mz__header *header);
/* "a block of 8 bytes, allocated by …, freed by …" */
void mz__heap_add_life(mz_text *out, const mz__block *block);

#endif
