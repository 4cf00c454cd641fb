/* The heaps of a program under test (blocks.c, allocation.c): one per thread, so that an address depends on
 * the thread and its own allocations alone. */
#ifndef MZ_PROGRAM_MEMORY_HEAP_H
#define MZ_PROGRAM_MEMORY_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Who a block comes from says who has to free it. */
typedef enum mz__family { MZ__BY_MALLOC, MZ__BY_NEW, MZ__BY_NEW_ARRAY } mz__family;

/* For the running thread; NULL if its heap is full. */
void *mz__heap_allocate(size_t bytes, size_t alignment, uintptr_t pc);
/* Give back what the heaps have taken of the system's memory: at the beginning of an execution. */
void mz__heap_release(void);
void mz__heap_set_family(void *block, mz__family family);
/* By calloc: what it holds, it has been given. */
void mz__heap_set_zeroed(void *block);
void mz__heap_free(void *block, uintptr_t pc);
void mz__heap_delete(void *block, mz__family family, uintptr_t pc);
size_t mz__heap_size(const void *block);
bool mz__heap_is_of_family(const void *block, mz__family family);
/* Does every one of these bytes belong to a block that was not freed? The addresses are in the heaps. */
bool mz__heap_has(uintptr_t address, size_t size);

/* Freed blocks that malloc may return again, where it may (reuse.c). How much room a block of so many bytes
 * has; that a freed one is there to be taken, and with so much room; that a thread's heap may hold one that
 * begins there; to take it, which is to allocate it. */
size_t mz__heap_room(size_t bytes);
void mz__heap_offer(uintptr_t block);
bool mz__heap_is_offered(uintptr_t block, size_t room);
bool mz__heap_may_hold(uint32_t thread, uintptr_t block);
void mz__heap_take(uintptr_t block, size_t bytes, uintptr_t pc);

typedef struct mz__block {
    uintptr_t start;
    size_t size;
    uintptr_t allocated_by, freed_by; /* code addresses; 0: not freed */
    uint32_t thread, number;          /* who has allocated it, and how many that one had before */
    uint32_t freed_in;                /* the thread that has freed it */
    uint32_t family;                  /* mz__family */
    bool zeroed;
} mz__block;

/* A loop boundary: the room of blocks that were freed may be used again from now on. */
void mz__heap_tidy(uint32_t thread);

/* The blocks of a thread's heap, one after the other: the first one that begins behind the address. */
bool mz__heap_next(uint32_t thread, uintptr_t after, mz__block *block);
/* The block that contains the address or ends before it; false if there is none. */
bool mz__heap_find(uintptr_t address, mz__block *block);
/* "by thread 1 in put() queue.c:12" */
void mz__add_site(mz_text *out, uint32_t thread, uintptr_t pc);
/* Where the address lies in relation to the blocks around it, and who has allocated and freed the nearest. */
void mz__heap_describe(uintptr_t address, mz_text *out);

#endif
