/* Functions of the C library that work on memory: allocation, copying, strings. What they read and write are
 * accesses of the program. */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "native/schedule.h"

static void *allocate(size_t bytes, size_t alignment)
{
    if (mz__w.current)
        mz__made_progress();
    if (mz__w.current && mz__w.tired)
        mz__give_up_tired();
    mz__w.heap_used = true;
    void *block = mz__heap_allocate(bytes, alignment, mz__caller.pc);
    if (!block)
        errno = ENOMEM;
    return block;
}

MZ__HOOK(void *, __wrap_malloc, size_t bytes)
{
    return allocate(bytes, 16);
}

MZ__HOOK(void *, __wrap_calloc, size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(total, 16); /* never used before in this execution: it is zero */
}

MZ__HOOK(void, __wrap_free, void *block)
{
    if (!block)
        return;
    if (mz__w.current) {
        mz__made_progress();
        mz__heap_free(block, mz__caller.pc);
    }
}

MZ__HOOK(void *, __wrap_aligned_alloc, size_t alignment, size_t bytes)
{
    return allocate(bytes, alignment);
}

MZ__HOOK(int, __wrap_posix_memalign, void **block, size_t alignment, size_t bytes)
{
    mz__plain_access((uintptr_t)block, sizeof *block, true);
    *block = allocate(bytes, alignment);
    return *block ? 0 : ENOMEM;
}

/* As the library does it: bytes are read and written one after the other, a few at a time. Where somebody
 * could notice that, each part happens right after it was announced. */
static void copy(void *to, const void *from, size_t bytes)
{
    if (mz__w.special_word_count == 0) {
        mz__plain_access((uintptr_t)from, bytes, false);
        mz__plain_access((uintptr_t)to, bytes, true);
        memmove(to, from, bytes);
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
        mz__plain_access(source, part, false);
        memcpy(buffer, (const void *)source, part);
        mz__plain_access(target, part, true);
        memcpy((void *)target, buffer, part);
        bytes -= part;
        if (!backwards) {
            to = (char *)to + part;
            from = (const char *)from + part;
        }
    }
}

MZ__HOOK(void *, __wrap_realloc, void *block, size_t bytes)
{
    uintptr_t pc = mz__caller.pc;
    void *larger = allocate(bytes, 16);
    if (!block || !larger)
        return larger;
    size_t kept = mz__heap_size(block);
    if (kept > bytes)
        kept = bytes;
    copy(larger, block, kept);
    if (mz__w.current)
        mz__heap_free(block, pc);
    return larger;
}

static void fill(void *to, int value, size_t bytes)
{
    while (bytes > 0) {
        size_t part = mz__w.special_word_count == 0 ? bytes : 8 - ((uintptr_t)to & 7);
        part = part < bytes ? part : bytes;
        mz__plain_access((uintptr_t)to, part, true);
        memset(to, value, part);
        to = (char *)to + part;
        bytes -= part;
    }
}

/* The string with its end, read as a whole. */
size_t mz__string_length(const char *text)
{
    mz__check_memory(text, 1, false, mz__caller.pc);
    mz__plain_access((uintptr_t)text, strlen(text) + 1, false);
    return strlen(text);
}

/* Up to the end of the string or the limit. */
static size_t limited_length(const char *text, size_t most)
{
    if (most == 0)
        return 0;
    mz__check_memory(text, 1, false, mz__caller.pc);
    size_t length = strnlen(text, most);
    mz__plain_access((uintptr_t)text, length < most ? length + 1 : length, false);
    return strnlen(text, most);
}

/* Both up to where they differ or end. */
static void read_common(const char *a, const char *b, size_t most)
{
    mz__check_memory(a, most ? 1 : 0, false, mz__caller.pc);
    mz__check_memory(b, most ? 1 : 0, false, mz__caller.pc);
    size_t n = 0;
    while (n < most && a[n] == b[n] && a[n])
        n++;
    n += n < most;
    mz__plain_access((uintptr_t)a, n, false);
    mz__plain_access((uintptr_t)b, n, false);
}

MZ__HOOK(size_t, __wrap_strlen, const char *text)
{
    return mz__string_length(text);
}

MZ__HOOK(size_t, __wrap_strnlen, const char *text, size_t most)
{
    return limited_length(text, most);
}

MZ__HOOK(int, __wrap_strcmp, const char *a, const char *b)
{
    read_common(a, b, SIZE_MAX / 2);
    return strcmp(a, b);
}

MZ__HOOK(int, __wrap_strncmp, const char *a, const char *b, size_t most)
{
    read_common(a, b, most);
    return strncmp(a, b, most);
}

MZ__HOOK(int, __wrap_strcasecmp, const char *a, const char *b)
{
    mz__string_length(a);
    mz__string_length(b);
    return strcasecmp(a, b);
}

MZ__HOOK(int, __wrap_strncasecmp, const char *a, const char *b, size_t most)
{
    limited_length(a, most);
    limited_length(b, most);
    return strncasecmp(a, b, most);
}

#define SEARCH(result, name, T)                                                                              \
    MZ__HOOK(result, __wrap_##name, const char *text, T what)                                                \
    {                                                                                                        \
        mz__string_length(text);                                                                             \
        READ_##T(what);                                                                                      \
        return (result)name(text, what);                                                                     \
    }
#define READ_int(what)    (void)what
#define READ_string(what) mz__string_length(what)
typedef const char *string;

SEARCH(char *, strchr, int)
SEARCH(char *, strrchr, int)
SEARCH(char *, strstr, string)
SEARCH(char *, strpbrk, string)
SEARCH(size_t, strspn, string)
SEARCH(size_t, strcspn, string)

#define NUMBER(result, name)                                                                                 \
    MZ__HOOK(result, __wrap_##name, const char *text)                                                        \
    {                                                                                                        \
        mz__string_length(text);                                                                             \
        return name(text);                                                                                   \
    }

/* … with where the number ended. */
#define LONG_NUMBER(result, name)                                                                            \
    MZ__HOOK(result, __wrap_##name, const char *text, char **end, int base)                                  \
    {                                                                                                        \
        char *after;                                                                                         \
        mz__string_length(text);                                                                             \
        result value = name(text, &after, base);                                                             \
        if (end) {                                                                                           \
            mz__plain_access((uintptr_t)end, sizeof *end, true);                                             \
            *end = after;                                                                                    \
        }                                                                                                    \
        return value;                                                                                        \
    }

LONG_NUMBER(long, strtol)
LONG_NUMBER(unsigned long, strtoul)
LONG_NUMBER(long long, strtoll)
LONG_NUMBER(unsigned long long, strtoull)
NUMBER(int, atoi)
NUMBER(long, atol)
NUMBER(long long, atoll)
NUMBER(double, atof)

MZ__HOOK(int, __wrap_memcmp, const void *a, const void *b, size_t bytes)
{
    mz__plain_access((uintptr_t)a, bytes, false);
    mz__plain_access((uintptr_t)b, bytes, false);
    return memcmp(a, b, bytes);
}

MZ__HOOK(void *, __wrap_memchr, const void *memory, int byte, size_t bytes)
{
    const char *found = memchr(memory, byte, bytes);
    mz__plain_access((uintptr_t)memory, found ? (size_t)(found - (const char *)memory) + 1 : bytes, false);
    return memchr(memory, byte, bytes);
}

MZ__HOOK(char *, __wrap_strndup, const char *text, size_t most)
{
    size_t length = limited_length(text, most);
    char *copied = allocate(length + 1, 16);
    if (copied) {
        copy(copied, text, length);
        mz__plain_access((uintptr_t)copied + length, 1, true);
        copied[length] = 0;
    }
    return copied;
}

MZ__HOOK(char *, __wrap_strdup, const char *text)
{
    return mz__hook___wrap_strndup(text, PTRDIFF_MAX);
}

MZ__HOOK(void *, __wrap_memcpy, void *to, const void *from, size_t bytes)
{
    copy(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap_memmove, void *to, const void *from, size_t bytes)
{
    copy(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap_memset, void *to, int value, size_t bytes)
{
    fill(to, value, bytes);
    return to;
}

MZ__HOOK(void *, __wrap___memcpy_chk, void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    copy(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap___memmove_chk, void *to, const void *from, size_t bytes, size_t room)
{
    (void)room;
    copy(to, from, bytes);
    return to;
}

MZ__HOOK(void *, __wrap___memset_chk, void *to, int value, size_t bytes, size_t room)
{
    (void)room;
    fill(to, value, bytes);
    return to;
}

MZ__HOOK(char *, __wrap_strcpy, char *to, const char *from)
{
    copy(to, from, mz__string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap___strcpy_chk, char *to, const char *from, size_t room)
{
    (void)room;
    copy(to, from, mz__string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap_strncpy, char *to, const char *from, size_t bytes)
{
    size_t length = limited_length(from, bytes);
    mz__plain_access((uintptr_t)to, bytes, true);
    memcpy(to, from, length);
    memset(to + length, 0, bytes - length);
    return to;
}

MZ__HOOK(char *, __wrap_strcat, char *to, const char *from)
{
    copy(to + mz__string_length(to), from, mz__string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap_strncat, char *to, const char *from, size_t most)
{
    size_t length = limited_length(from, most);
    char *end = to + mz__string_length(to);
    copy(end, from, length);
    mz__plain_access((uintptr_t)end + length, 1, true);
    end[length] = 0;
    return to;
}
