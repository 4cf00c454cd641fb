#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct mz_arena_block {
    struct mz_arena_block *next;
    size_t used, capacity;
    alignas(max_align_t) unsigned char bytes[];
};

void *mz_arena_allocate(mz_arena *arena, size_t bytes)
{
    size_t align = alignof(max_align_t);
    bytes = (bytes + align - 1) / align * align;
    struct mz_arena_block *block = arena->blocks;
    if (!block || block->capacity - block->used < bytes) {
        size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        block = mz_allocate(sizeof *block + capacity);
        *block = (struct mz_arena_block){.next = arena->blocks, .capacity = capacity};
        arena->blocks = block;
    }
    void *result = block->bytes + block->used;
    block->used += bytes;
    return memset(result, 0, bytes);
}

char *mz_arena_copy(mz_arena *arena, const char *text, size_t length)
{
    char *copy = mz_arena_allocate(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void mz_arena_release(mz_arena *arena)
{
    while (arena->blocks) {
        struct mz_arena_block *next = arena->blocks->next;
        mz_release(arena->blocks);
        arena->blocks = next;
    }
}
