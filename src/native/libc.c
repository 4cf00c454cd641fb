/* Functions of the C library that keep a state, write the program's memory, or say something: memory, output,
 * time, randomness, thread-local variables. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>

#include "native/schedule.h"

/* ---- memory ---------------------------------------------------------------------------------------------
 */

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

static void copy(void *to, const void *from, size_t bytes);

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
static size_t string_length(const char *text)
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
    return string_length(text);
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
    string_length(a);
    string_length(b);
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
        string_length(text);                                                                                 \
        READ_##T(what);                                                                                      \
        return (result)name(text, what);                                                                     \
    }
#define READ_int(what)    (void)what
#define READ_string(what) string_length(what)
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
        string_length(text);                                                                                 \
        return name(text);                                                                                   \
    }

/* … with where the number ended. */
#define LONG_NUMBER(result, name)                                                                            \
    MZ__HOOK(result, __wrap_##name, const char *text, char **end, int base)                                  \
    {                                                                                                        \
        char *after;                                                                                         \
        string_length(text);                                                                                 \
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
    copy(to, from, string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap___strcpy_chk, char *to, const char *from, size_t room)
{
    (void)room;
    copy(to, from, string_length(from) + 1);
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
    copy(to + string_length(to), from, string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap_strncat, char *to, const char *from, size_t most)
{
    size_t length = limited_length(from, most);
    char *end = to + string_length(to);
    copy(end, from, length);
    mz__plain_access((uintptr_t)end + length, 1, true);
    end[length] = 0;
    return to;
}

/* ---- output: kept for the execution that somebody is shown
 * -------------------------------------------------- */

static int print_list(const char *format, va_list arguments)
{
    char text[4096];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (mz__w.narrating && length > 0)
        mz_text_add(&mz__w.output, "%s", text);
    return length;
}

static int print(const char *text, size_t length)
{
    if (mz__w.narrating)
        mz_text_add_bytes(&mz__w.output, text, length);
    return (int)length;
}

#define FORMATTED(last)                                                                                      \
    va_list arguments;                                                                                       \
    va_start(arguments, last);                                                                               \
    int length = print_list(last, arguments);                                                                \
    va_end(arguments);                                                                                       \
    return length;

#define FUNCTION(result, name, ...)                                                                          \
    result name(__VA_ARGS__);                                                                                \
    result name(__VA_ARGS__)

FUNCTION(int, __wrap_printf, const char *format, ...){FORMATTED(format)}

FUNCTION(int, __wrap_fprintf, FILE *file, const char *format, ...)
{
    (void)file;
    FORMATTED(format)
}

FUNCTION(int, __wrap___printf_chk, int flag, const char *format, ...)
{
    (void)flag;
    FORMATTED(format)
}

FUNCTION(int, __wrap___fprintf_chk, FILE *file, int flag, const char *format, ...)
{
    (void)file;
    (void)flag;
    FORMATTED(format)
}

FUNCTION(int, __wrap_vprintf, const char *format, va_list arguments)
{
    return print_list(format, arguments);
}

FUNCTION(int, __wrap_vfprintf, FILE *file, const char *format, va_list arguments)
{
    (void)file;
    return print_list(format, arguments);
}

FUNCTION(int, __wrap___vprintf_chk, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return print_list(format, arguments);
}

FUNCTION(int, __wrap___vfprintf_chk, FILE *file, int flag, const char *format, va_list arguments)
{
    (void)file;
    (void)flag;
    return print_list(format, arguments);
}

/* Variadic ones cannot be hooks: they say themselves where they are called. */
#define NOTE_CALLER() (mz__caller.pc = (uintptr_t)__builtin_return_address(0))

MZ__HOOK(int, __wrap_puts, const char *text)
{
    string_length(text);
    return print(text, strlen(text)) + print("\n", 1);
}

MZ__HOOK(int, __wrap_fputs, const char *text, FILE *file)
{
    (void)file;
    string_length(text);
    return print(text, strlen(text));
}

FUNCTION(int, __wrap_putchar, int c)
{
    char byte = (char)c;
    print(&byte, 1);
    return c;
}

FUNCTION(int, __wrap_putc, int c, FILE *file)
{
    (void)file;
    return __wrap_putchar(c);
}

FUNCTION(int, __wrap_fputc, int c, FILE *file)
{
    (void)file;
    return __wrap_putchar(c);
}

MZ__HOOK(size_t, __wrap_fwrite, const void *bytes, size_t size, size_t count, FILE *file)
{
    (void)file;
    mz__plain_access((uintptr_t)bytes, size * count, false);
    print(bytes, size * count);
    return count;
}

FUNCTION(int, __wrap_fflush, FILE *file)
{
    (void)file;
    return 0;
}

FUNCTION(int, __wrap_setvbuf, FILE *file, char *buffer, int mode, size_t size)
{
    (void)file;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}

FUNCTION(void, __wrap_setbuf, FILE *file, char *buffer)
{
    (void)file;
    (void)buffer;
}

/* The standard streams are the checker's: the program may close them for itself. */
FUNCTION(int, __wrap_close, int descriptor)
{
    if (descriptor >= 0 && descriptor <= 2)
        return 0;
    errno = EBADF;
    return -1;
}

FUNCTION(int, __wrap_fclose, FILE *file)
{
    (void)file;
    return 0;
}

FUNCTION(void, __wrap_perror, const char *text)
{
    if (mz__w.narrating)
        mz_text_add(&mz__w.output, "%s: %s\n", text, strerror(errno));
}

static int print_into(char *to, size_t room, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t written = length < 0 ? 0 : (size_t)length + 1 < room ? (size_t)length + 1 : room;
    NOTE_CALLER();
    mz__plain_access((uintptr_t)to, written, true);
    return vsnprintf(to, room, format, arguments);
}

FUNCTION(int, __wrap_vsnprintf, char *to, size_t room, const char *format, va_list arguments)
{
    return print_into(to, room, format, arguments);
}

FUNCTION(int, __wrap_snprintf, char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print_into(to, room, format, arguments);
    va_end(arguments);
    return length;
}

FUNCTION(int, __wrap_sprintf, char *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print_into(to, INT32_MAX, format, arguments);
    va_end(arguments);
    return length;
}

FUNCTION(int, __wrap___snprintf_chk, char *to, size_t room, int flag, size_t size, const char *format, ...)
{
    (void)flag;
    (void)size;
    va_list arguments;
    va_start(arguments, format);
    int length = print_into(to, room, format, arguments);
    va_end(arguments);
    return length;
}

FUNCTION(int, __wrap___sprintf_chk, char *to, int flag, size_t size, const char *format, ...)
{
    (void)flag;
    (void)size;
    va_list arguments;
    va_start(arguments, format);
    int length = print_into(to, INT32_MAX, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- time and randomness: a function of the thread and how often it has asked
 * --------------------------------- */

enum { EPOCH = 1000000000 };

static uint32_t milliseconds(void)
{
    if (!mz__w.current)
        return 0;
    mz__made_progress(); /* a loop that looks at the clock does not stay the same */
    return ++mz__rarely(mz__w.current)->virtual_time;
}

MZ__HOOK(time_t, __wrap_time, time_t *result)
{
    time_t now = EPOCH + milliseconds() / 1000;
    if (result) {
        mz__plain_access((uintptr_t)result, sizeof *result, true);
        *result = now;
    }
    return now;
}

MZ__HOOK(clock_t, __wrap_clock, void)
{
    return (clock_t)milliseconds() * (CLOCKS_PER_SEC / 1000);
}

MZ__HOOK(int, __wrap_clock_gettime, clockid_t id, struct timespec *result)
{
    (void)id;
    uint32_t now = milliseconds();
    mz__plain_access((uintptr_t)result, sizeof *result, true);
    *result = (struct timespec){.tv_sec = EPOCH + now / 1000, .tv_nsec = now % 1000 * 1000000L};
    return 0;
}

MZ__HOOK(int, __wrap_gettimeofday, struct timeval *result, void *zone)
{
    (void)zone;
    uint32_t now = milliseconds();
    mz__plain_access((uintptr_t)result, sizeof *result, true);
    *result = (struct timeval){.tv_sec = EPOCH + now / 1000, .tv_usec = now % 1000 * 1000L};
    return 0;
}

static int next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(*state >> 33) & RAND_MAX;
}

static int random_number(void)
{
    static uint64_t early = 1;
    if (!mz__w.current)
        return next_random(&early);
    mz__made_progress();
    return next_random(&mz__rarely(mz__w.current)->random_state);
}

MZ__HOOK(int, __wrap_rand, void)
{
    return random_number();
}

MZ__HOOK(long, __wrap_random, void)
{
    return random_number();
}

MZ__HOOK(void, __wrap_srand, unsigned seed)
{
    if (mz__w.current)
        mz__rarely(mz__w.current)->random_state = seed;
}

MZ__HOOK(void, __wrap_srandom, unsigned seed)
{
    if (mz__w.current)
        mz__rarely(mz__w.current)->random_state = seed;
}

MZ__HOOK(int, __wrap_rand_r, unsigned *seed)
{
    uint64_t state = *seed;
    int value = next_random(&state);
    mz__plain_access((uintptr_t)seed, sizeof *seed, true);
    *seed = (unsigned)(state >> 17);
    return value;
}

/* ---- thread-local variables
 * ---------------------------------------------------------------------------------- */

typedef struct tls_index {
    unsigned long module, offset;
} tls_index;

MZ__HOOK(void *, __wrap___tls_get_addr, const tls_index *index)
{
    return (char *)mz__tls_block(mz__w.current ? mz__me() : 0) + index->offset;
}
