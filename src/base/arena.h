/* Memory that is released all at once: syntax trees, names. */
#ifndef MZ_BASE_ARENA_H
#define MZ_BASE_ARENA_H

#include <stddef.h>

typedef struct mz_arena {
    struct mz_arena_block *blocks;
} mz_arena;

/* Zeroed, aligned for anything. */
void *mz_arena_allocate(mz_arena *arena, size_t bytes);
char *mz_arena_copy(mz_arena *arena, const char *text, size_t length);
void mz_arena_release(mz_arena *arena);

#endif
