/* The one allocator. Running out of memory is one policy: say so and end with exit code 4 (an
 * internal limit, never a verdict). Tests make it fail on purpose; see mz_memory_fail_after(). */
#ifndef MZ_BASE_MEMORY_H
#define MZ_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#define MZ_LENGTH(array) (sizeof(array) / sizeof *(array))

void *mz_allocate(size_t bytes);
void *mz_allocate_zeroed(size_t count, size_t item_bytes);
/* Zeroed, and aligned to lines of the cache: for images of plans, whose structs ask for that. */
void *mz_allocate_lines(size_t bytes);
void *mz_reallocate(void *block, size_t bytes);
void mz_release(void *block);
char *mz_copy_string(const char *text);
char *mz_copy_bytes(const char *text, size_t length);

/* Make room for `needed` items: returns the (possibly moved) items and updates *capacity.
 * Grows geometrically, so that pushing is free of allocation once a search has reached its depth. */
void *mz__grow_more(void *items, size_t *capacity, size_t needed, size_t item_bytes);

static inline void *mz_grow(void *items, size_t *capacity, size_t needed, size_t item_bytes)
{
    return needed <= *capacity ? items : mz__grow_more(items, capacity, needed, item_bytes);
}

/* Resident size of this process in bytes: now, and at most so far. 0 if the system does not say. */
uint64_t mz_memory_now(void);
uint64_t mz_memory_peak(void);

/* For tests: the n-th allocation from now on fails and calls `on_failure` (which must not return). */
void mz_memory_fail_after(uint64_t allocations, void (*on_failure)(void));
void mz_memory_never_fail(void);

#endif
