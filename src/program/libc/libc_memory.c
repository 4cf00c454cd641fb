/* Functions of the C library that work on memory: allocation and copying. What they read and write are
 * accesses of the program. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "program/memory/initialised.h"
#include "program/libc/libc.h"
#include "program/memory/reuse.h"

void *mz__allocate(size_t bytes, size_t alignment)
{
    mz__made_progress();
    if (mz__w.tired)
        mz__give_up_if_tired();
    mz__w.heap_used = true;
    void *block = mz__w.reuses > 0 ? mz__take_freed(bytes, alignment) : NULL;
    if (!block)
        block = mz__heap_allocate(bytes, alignment, mz__call_in_program());
    if (!block)
        errno = ENOMEM;
    return block;
}

MZ__HOOK(void *, __wrap_malloc, size_t bytes)
{
    return mz__allocate(bytes, 16);
}

MZ__HOOK(void *, __wrap_calloc, size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = mz__allocate(total, 16); /* never used before in this execution, or cleared: it is zero */
    if (block) {
        mz__heap_set_zeroed(block);
        mz__has_written((uintptr_t)block, total);
    }
    return block;
}

void mz__free(void *block, mz__family family)
{
    if (!block)
        return;
    mz__made_progress();
    mz__local.accesses++; /* for plans it is one, and has a name */
    mz__w.current->pending.compiled = true;
    mz__heap_delete(block, family, mz__caller.pc);
    mz__w.current->pending.compiled = false;
    mz__offer_block(block);
}

MZ__HOOK(void, __wrap_free, void *block)
{
    mz__free(block, MZ__BY_MALLOC);
}

static bool is_power_of_two(size_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static void *allocate_aligned(size_t alignment, size_t bytes)
{
    if (is_power_of_two(alignment))
        return mz__allocate(bytes, alignment);
    errno = EINVAL;
    return NULL;
}

MZ__HOOK(void *, __wrap_aligned_alloc, size_t alignment, size_t bytes)
{
    return allocate_aligned(alignment, bytes);
}

MZ__HOOK(void *, __wrap_memalign, size_t alignment, size_t bytes)
{
    return allocate_aligned(alignment, bytes);
}

MZ__HOOK(void *, __wrap_valloc, size_t bytes)
{
    return allocate_aligned(4096, bytes);
}

/* It leaves *block and errno alone where it fails. */
MZ__HOOK(int, __wrap_posix_memalign, void **block, size_t alignment, size_t bytes)
{
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    int kept = errno;
    void *found = mz__allocate(bytes, alignment);
    errno = kept;
    if (!found)
        return ENOMEM;
    mz__plain_access((uintptr_t)block, sizeof *block, true);
    *block = found;
    return 0;
}

MZ__HOOK(size_t, __wrap_malloc_usable_size, void *block)
{
    return mz__heap_size(block);
}

/* As the library does it: bytes are read and written one after the other, a few at a time. Where somebody
 * could notice that, each part happens right after it was announced. */
void mz__copy_memory(void *to, const void *from, size_t bytes)
{
    if (!mz__plain_may_be_events()) {
        mz__plain_access((uintptr_t)from, bytes, false);
        mz__plain_access((uintptr_t)to, bytes, true);
        memmove(to, from, bytes);
        mz__has_copied(to, from, bytes);
        return;
    }
    bool backwards = (uintptr_t)to - (uintptr_t)from < bytes;
    while (bytes > 0) {
        uintptr_t source = (uintptr_t)from, target = (uintptr_t)to;
        if (backwards) {
            source += bytes - 1; /* one by one: overlapping moves are rare */
            target += bytes - 1;
        }
        size_t part = backwards ? 1 : 8 - ((source & 7) > (target & 7) ? source & 7 : target & 7);
        part = part < bytes ? part : bytes;
        char buffer[8];
        mz__made_progress(); /* the next part, not the same once more */
        mz__plain_access(source, part, false);
        memcpy(buffer, (const void *)source, part);
        mz__plain_access(target, part, true);
        memcpy((void *)target, buffer, part);
        mz__has_copied((void *)target, (const void *)source, part);
        bytes -= part;
        if (!backwards) {
            to = (char *)to + part;
            from = (const char *)from + part;
        }
    }
}

void *mz__reallocate(void *block, size_t bytes)
{
    uintptr_t pc = mz__caller.pc;
    void *larger = mz__allocate(bytes, 16);
    if (!block || !larger)
        return larger;
    size_t kept = mz__heap_size(block);
    mz__copy_memory(larger, block, kept < bytes ? kept : bytes);
    mz__heap_free(block, pc);
    mz__offer_block(block);
    return larger;
}

MZ__HOOK(void *, __wrap_realloc, void *block, size_t bytes)
{
    return mz__reallocate(block, bytes);
}

MZ__HOOK(void *, __wrap_reallocarray, void *block, size_t count, size_t bytes)
{
    size_t total;
    if (!__builtin_mul_overflow(count, bytes, &total))
        return mz__reallocate(block, total);
    errno = ENOMEM;
    return NULL;
}

void mz__fill_memory(void *to, int value, size_t bytes)
{
    while (bytes > 0) {
        size_t part = !mz__plain_may_be_events() ? bytes : 8 - ((uintptr_t)to & 7);
        part = part < bytes ? part : bytes;
        mz__plain_access((uintptr_t)to, part, true);
        memset(to, value, part);
        to = (char *)to + part;
        bytes -= part;
    }
}

void mz__write_memory(void *to, const void *from, size_t bytes)
{
    while (bytes > 0) {
        size_t part = !mz__plain_may_be_events() ? bytes : 8 - ((uintptr_t)to & 7);
        part = part < bytes ? part : bytes;
        mz__plain_access((uintptr_t)to, part, true);
        memcpy(to, from, part);
        to = (char *)to + part;
        from = (const char *)from + part;
        bytes -= part;
    }
}

/* Byte by byte where others may write in between: see libc_strings.c. */
MZ__HOOK(int, __wrap_memcmp, const void *a, const void *b, size_t bytes)
{
    const unsigned char *x = a, *y = b;
    int difference = 0;
    if (!mz__plain_may_be_events()) {
        mz__plain_access((uintptr_t)a, bytes, false);
        mz__plain_access((uintptr_t)b, bytes, false);
        return memcmp(a, b, bytes);
    }
    mz__check_memory(a, bytes, false, mz__caller.pc); /* all of it has to be there */
    mz__check_memory(b, bytes, false, mz__caller.pc);
    for (size_t i = 0; i < bytes && difference == 0; i++) {
        difference = (unsigned char)mz__read_byte(x + i);
        difference -= (unsigned char)mz__read_byte(y + i);
    }
    return difference;
}

MZ__HOOK(void *, __wrap_memchr, const void *memory, int byte, size_t bytes)
{
    const unsigned char *at = memory;
    if (!mz__plain_may_be_events()) {
        const unsigned char *found = memchr(memory, byte, bytes);
        mz__plain_access((uintptr_t)memory, found ? (size_t)(found - at) + 1 : bytes, false);
        return (void *)found;
    }
    for (size_t i = 0; i < bytes; i++) {
        if (mz__read_byte(at + i) == (char)byte)
            return (void *)(at + i);
    }
    return NULL;
}

MZ__HOOK(void *, __wrap_memcpy, void *to, const void *from, size_t bytes)
{
    mz__copy_memory(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap_memmove, void *to, const void *from, size_t bytes)
{
    mz__copy_memory(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap_memset, void *to, int value, size_t bytes)
{
    mz__fill_memory(to, value, bytes);
    return to;
}

MZ__HOOK(void *, __wrap___memcpy_chk, void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    mz__copy_memory(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap___memmove_chk, void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    mz__copy_memory(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap___memset_chk, void *to, int value, size_t bytes, size_t room)
{
    (void)room;
    mz__fill_memory(to, value, bytes);
    return to;
}

MZ__HOOK(void *, __wrap_mempcpy, void *to, const void *from, size_t bytes)
{
    mz__copy_memory(to, from, bytes);
    return (char *)to + bytes;
}

MZ__HOOK(void, __wrap_bcopy, const void *from, void *to, size_t bytes)
{
    mz__copy_memory(to, from, bytes);
}

MZ__HOOK(void, __wrap_bzero, void *to, size_t bytes)
{
    mz__fill_memory(to, 0, bytes);
}

MZ__HOOK(void, __wrap_explicit_bzero, void *to, size_t bytes)
{
    mz__fill_memory(to, 0, bytes);
}

MZ__HOOK(int, __wrap_bcmp, const void *a, const void *b, size_t bytes)
{
    return mz__hook___wrap_memcmp(a, b, bytes);
}

/* Up to the byte, and with it. */
MZ__HOOK(void *, __wrap_memccpy, void *to, const void *from, int byte, size_t bytes)
{
    const char *found = mz__hook___wrap_memchr(from, byte, bytes);
    size_t length = found ? (size_t)(found - (const char *)from) + 1 : bytes;
    mz__copy_memory(to, from, length);
    return found ? (char *)to + length : NULL;
}

MZ__HOOK(void *, __wrap_memrchr, const void *memory, int byte, size_t bytes)
{
    mz__plain_access((uintptr_t)memory, bytes, false);
    return (void *)memrchr(memory, byte, bytes);
}

MZ__HOOK(void *, __wrap_memmem, const void *memory, size_t bytes, const void *part, size_t part_bytes)
{
    mz__plain_access((uintptr_t)memory, bytes, false);
    mz__plain_access((uintptr_t)part, part_bytes, false);
    return memmem(memory, bytes, part, part_bytes);
}
