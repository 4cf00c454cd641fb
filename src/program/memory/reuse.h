/* Memory that is freed and used again by malloc: --heap-reuse (reuse.c). */
#ifndef MZ_PROGRAM_MEMORY_REUSE_H
#define MZ_PROGRAM_MEMORY_REUSE_H

#include "program/runtime/world.h"

/* The location of a block is a name only: no address of a program looks like this. */
#define MZ__NAME_OF_BLOCK(block) ((block) | UINT64_C(1) << 62)
#define MZ__BLOCK_OF_NAME(name)  ((name) & ~(UINT64_C(1) << 62))

/* The running thread has freed it. */
void mz__offer_block(void *block);
/* It allocates: one that was freed, if that is chosen; NULL if not. */
void *mz__take_freed(size_t bytes, size_t alignment);

/* Is it a freed one that malloc may return? */
bool mz__may_be_taken(uintptr_t block);

/* What was learned: all blocks that were ever freed, each with its room, and who has freed or taken it (a
 * thread, or MZ__SHARED). */
bool mz__freed_block(size_t i, uintptr_t *block, size_t *room, uint32_t *owner);
uint32_t mz__know_freed(uintptr_t block, size_t room, uint32_t owner);

#endif
