#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only tests touch these two; they stay at "never" in the program itself. */
static uint64_t allocations_left = UINT64_MAX;
static void (*failure_handler)(void) = NULL;

static _Noreturn void out_of_memory(size_t bytes)
{
    if (failure_handler)
        failure_handler();
    fprintf(stderr, "mazurka: out of memory (asked for %zu bytes); --max-memory ends a search earlier\n",
            bytes);
    exit(4);
}

static void *checked(void *block, size_t bytes)
{
    if (allocations_left != UINT64_MAX && allocations_left-- == 0) {
        free(block);
        out_of_memory(bytes);
    }
    if (!block)
        out_of_memory(bytes);
    return block;
}

void *mz_allocate(size_t bytes)
{
    return checked(malloc(bytes ? bytes : 1), bytes);
}

void *mz_allocate_zeroed(size_t count, size_t item_bytes)
{
    return checked(calloc(count ? count : 1, item_bytes ? item_bytes : 1), count * item_bytes);
}

void *mz_allocate_lines(size_t bytes)
{
    enum { LINE = 64 };
    size_t whole = (bytes + LINE) / LINE * LINE;
    void *block = checked(aligned_alloc(LINE, whole), bytes);
    return memset(block, 0, whole);
}

void *mz_reallocate(void *block, size_t bytes)
{
    return checked(realloc(block, bytes ? bytes : 1), bytes);
}

void mz_release(void *block)
{
    free(block);
}

char *mz_copy_bytes(const char *text, size_t length)
{
    char *copy = mz_allocate(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *mz_copy_string(const char *text)
{
    return mz_copy_bytes(text, strlen(text));
}

void *mz__grow_more(void *items, size_t *capacity, size_t needed, size_t item_bytes)
{
    size_t larger = *capacity ? *capacity : 16;
    while (larger < needed)
        larger *= 2;
    items = mz_reallocate(items, larger * item_bytes);
    *capacity = larger;
    return items;
}

/* From /proc, because the kernel's ru_maxrss starts with the size of whoever started this process. */
static uint64_t read_status(const char *key)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long long kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), " %llu kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes * 1024;
}

uint64_t mz_memory_now(void)
{
    return read_status("VmRSS:");
}

uint64_t mz_memory_peak(void)
{
    return read_status("VmHWM:");
}

void mz_memory_fail_after(uint64_t allocations, void (*on_failure)(void))
{
    allocations_left = allocations;
    failure_handler = on_failure;
}

void mz_memory_never_fail(void)
{
    allocations_left = UINT64_MAX;
    failure_handler = NULL;
}
