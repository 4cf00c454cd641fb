/* Functions of the C library that work on strings, and numbers in them. What they read and write are accesses
 * of the program. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "program/describe/failures.h"
#include "program/libc/libc.h"
#include "program/order/initialised.h"
#include "program/order/memory_errors.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/world/fiber.h"

/* A string as the thread has seen it: a copy, unless nobody could have changed it meanwhile. In that case it
 * is not read yet, since how much of it is read depends on the function.
 *
 * Where plain accesses are events, others may write between them: then what is read next may only depend on
 * what was read before, byte by byte, not on a look ahead; and what was read is what counts, not what stands
 * there in the end. */
typedef struct view {
    const char *bytes;
    char copy[4096];
} view;

static void look(view *v, const char *text, size_t most)
{
    mz__check_memory(text, most ? 1 : 0, false, mz__caller.pc);
    v->bytes = text;
    if (!mz__plain_may_be_events())
        return;
    v->bytes = v->copy;
    for (size_t length = 0; length < sizeof v->copy; length++) {
        v->copy[length] = length < most ? mz__read_byte(text + length) : '\0';
        if (!v->copy[length])
            return;
    }
    mz__give_up(mz__caller.pc, "a string of more than %zu bytes, where data races are no errors",
                sizeof v->copy);
}

/* The place in the program's own string that corresponds to a place in the copy. */
static char *place(const view *v, const char *text, const char *found)
{
    return found ? (char *)text + (found - v->bytes) : NULL;
}

/* Both up to where they differ or end. */
static void read_common(const char *a, const char *b, size_t most, int (*fold)(int))
{
    size_t n = 0;
    while (n < most && fold((unsigned char)a[n]) == fold((unsigned char)b[n]) && a[n])
        n++;
    n += n < most;
    mz__plain_access((uintptr_t)a, n, false);
    mz__has_read_text(a, n);
    mz__plain_access((uintptr_t)b, n, false);
    mz__has_read_text(b, n);
}

static int same(int c)
{
    return c;
}

MZ__HOOK(size_t, __wrap_strlen, const char *text)
{
    return mz__string_length(text);
}

MZ__HOOK(size_t, __wrap_strnlen, const char *text, size_t most)
{
    return mz__limited_length(text, most);
}

static int compare(const char *a, const char *b, size_t most, int (*fold)(int))
{
    view seen_a, seen_b;
    look(&seen_a, a, most);
    look(&seen_b, b, most);
    if (seen_a.bytes == a)
        read_common(a, b, most, fold);
    return fold == tolower ? strncasecmp(seen_a.bytes, seen_b.bytes, most)
                           : strncmp(seen_a.bytes, seen_b.bytes, most);
}

MZ__HOOK(int, __wrap_strcmp, const char *a, const char *b)
{
    return compare(a, b, PTRDIFF_MAX, same);
}

MZ__HOOK(int, __wrap_strncmp, const char *a, const char *b, size_t most)
{
    return compare(a, b, most, same);
}

MZ__HOOK(int, __wrap_strcoll, const char *a, const char *b)
{
    return compare(a, b, PTRDIFF_MAX, same); /* the locale is always "C" */
}

MZ__HOOK(int, __wrap_strcasecmp, const char *a, const char *b)
{
    return compare(a, b, PTRDIFF_MAX, tolower);
}

MZ__HOOK(int, __wrap_strncasecmp, const char *a, const char *b, size_t most)
{
    return compare(a, b, most, tolower);
}

/* ---- searching: what is read ends where something is found
 * --------------------------------------------------------- */

/* What is read then of a view that is not yet. */
static void read_until(const view *v, const char *text, const char *found, size_t more)
{
    if (v->bytes == text)
        mz__plain_access((uintptr_t)text, found ? (size_t)(found - text) + more : strlen(text) + 1, false);
}

#define FIND_CHARACTER(name, find)                                                                           \
    MZ__HOOK(char *, __wrap_##name, const char *text, int c)                                                 \
    {                                                                                                        \
        view seen;                                                                                           \
        look(&seen, text, PTRDIFF_MAX);                                                                      \
        const char *found = find(seen.bytes, c);                                                             \
        read_until(&seen, text, found, 1);                                                                   \
        return place(&seen, text, found);                                                                    \
    }

FIND_CHARACTER(strchr, strchr)
FIND_CHARACTER(index, strchr)
FIND_CHARACTER(strchrnul, strchrnul)

#define FIND_LAST_CHARACTER(name)                                                                            \
    MZ__HOOK(char *, __wrap_##name, const char *text, int c)                                                 \
    {                                                                                                        \
        view seen;                                                                                           \
        look(&seen, text, PTRDIFF_MAX);                                                                      \
        read_until(&seen, text, NULL, 0);                                                                    \
        return place(&seen, text, strrchr(seen.bytes, c));                                                   \
    }

FIND_LAST_CHARACTER(strrchr)
FIND_LAST_CHARACTER(rindex)

#define FIND_STRING(name, more)                                                                              \
    MZ__HOOK(char *, __wrap_##name, const char *text, const char *what)                                      \
    {                                                                                                        \
        view seen, wanted;                                                                                   \
        look(&seen, text, PTRDIFF_MAX);                                                                      \
        look(&wanted, what, PTRDIFF_MAX);                                                                    \
        const char *found = name(seen.bytes, wanted.bytes);                                                  \
        read_until(&wanted, what, NULL, 0);                                                                  \
        read_until(&seen, text, found, more);                                                                \
        return place(&seen, text, found);                                                                    \
    }

FIND_STRING(strstr, strlen(wanted.bytes))
FIND_STRING(strcasestr, strlen(wanted.bytes))
FIND_STRING(strpbrk, 1)

#define SPAN(name)                                                                                           \
    MZ__HOOK(size_t, __wrap_##name, const char *text, const char *set)                                       \
    {                                                                                                        \
        view seen, wanted;                                                                                   \
        look(&seen, text, PTRDIFF_MAX);                                                                      \
        look(&wanted, set, PTRDIFF_MAX);                                                                     \
        size_t length = name(seen.bytes, wanted.bytes);                                                      \
        read_until(&wanted, set, NULL, 0);                                                                   \
        read_until(&seen, text, seen.bytes + length, 1);                                                     \
        return length;                                                                                       \
    }

SPAN(strspn)
SPAN(strcspn)

static char *next_token(char *text, const char *separators, char **rest)
{
    text += mz__hook___wrap_strspn(text, separators);
    char *end = text + mz__hook___wrap_strcspn(text, separators);
    char *after = end;
    if (mz__read_byte(end)) {
        mz__write_memory(end, "", 1);
        after = end + 1;
    }
    mz__write_memory(rest, &after, sizeof after);
    return end > text ? text : NULL;
}

static char *tokenize(char *text, const char *separators, char **rest)
{
    if (!text) {
        mz__plain_access((uintptr_t)rest, sizeof *rest, false);
        text = *rest;
    }
    return text ? next_token(text, separators, rest) : NULL;
}

MZ__HOOK(char *, __wrap_strtok_r, char *text, const char *separators, char **rest)
{
    return tokenize(text, separators, rest);
}

MZ__HOOK(char *, __wrap___strtok_r, char *text, const char *separators, char **rest)
{
    return tokenize(text, separators, rest);
}

MZ__HOOK(char *, __wrap_strtok, char *text, const char *separators)
{
    return tokenize(text, separators, &mz__libc->token);
}

MZ__HOOK(char *, __wrap_strsep, char **rest, const char *separators)
{
    mz__plain_access((uintptr_t)rest, sizeof *rest, false);
    char *text = *rest;
    if (!text)
        return NULL;
    char *end = text + mz__hook___wrap_strcspn(text, separators),
         *after = mz__read_byte(end) ? end + 1 : NULL;
    if (after)
        mz__write_memory(end, "", 1);
    mz__write_memory(rest, &after, sizeof after);
    return text;
}

/* ---- numbers ---------------------------------------------------------------------------------------------
 */

/* Up to the first character that is no longer part of the number. */
static void read_number(const view *v, const char *text, const char *after)
{
    const char *digits = v->bytes;
    while (isspace((unsigned char)*digits))
        digits++;
    read_until(v, text, after > digits ? after : digits, 1);
}

#define NUMBER(result, name, parse)                                                                          \
    MZ__HOOK(result, __wrap_##name, const char *text)                                                        \
    {                                                                                                        \
        view seen;                                                                                           \
        char *after;                                                                                         \
        look(&seen, text, PTRDIFF_MAX);                                                                      \
        result value = (result)parse;                                                                        \
        read_number(&seen, text, after);                                                                     \
        return value;                                                                                        \
    }

NUMBER(int, atoi, strtol(seen.bytes, &after, 10))
NUMBER(long, atol, strtol(seen.bytes, &after, 10))
NUMBER(long long, atoll, strtol(seen.bytes, &after, 10))
NUMBER(double, atof, strtod(seen.bytes, &after))

/* Functions that also tell where the number ended. */
#define NUMBER_AND_END(result, name, parse, ...)                                                             \
    MZ__HOOK(result, __wrap_##name, const char *text, char **end __VA_ARGS__)                                \
    {                                                                                                        \
        view seen;                                                                                           \
        char *after;                                                                                         \
        look(&seen, text, PTRDIFF_MAX);                                                                      \
        result value = parse;                                                                                \
        read_number(&seen, text, after);                                                                     \
        after = place(&seen, text, after);                                                                   \
        if (end)                                                                                             \
            mz__write_memory(end, &after, sizeof after);                                                     \
        return value;                                                                                        \
    }
#define WITH_BASE , int base

NUMBER_AND_END(long, strtol, strtol(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(unsigned long, strtoul, strtoul(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(long long, strtoll, strtoll(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(unsigned long long, strtoull, strtoull(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(intmax_t, strtoimax, strtoll(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(uintmax_t, strtoumax, strtoull(seen.bytes, &after, base), WITH_BASE)
/* What newer headers call the same. */
NUMBER_AND_END(long, __isoc23_strtol, strtol(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(unsigned long, __isoc23_strtoul, strtoul(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(long long, __isoc23_strtoll, strtoll(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(unsigned long long, __isoc23_strtoull, strtoull(seen.bytes, &after, base), WITH_BASE)
NUMBER_AND_END(double, strtod, strtod(seen.bytes, &after), )
NUMBER_AND_END(float, strtof, strtof(seen.bytes, &after), )
NUMBER_AND_END(long double, strtold, strtold(seen.bytes, &after), )

/* ---- copying ---------------------------------------------------------------------------------------------
 */

MZ__HOOK(char *, __wrap_strndup, const char *text, size_t most)
{
    size_t length = mz__limited_length(text, most);
    char *copied = mz__allocate(length + 1, 16);
    if (copied) {
        mz__copy_memory(copied, text, length);
        mz__plain_access((uintptr_t)copied + length, 1, true);
        copied[length] = 0;
    }
    return copied;
}

MZ__HOOK(char *, __wrap_strdup, const char *text)
{
    return mz__hook___wrap_strndup(text, PTRDIFF_MAX);
}

MZ__HOOK(char *, __wrap_strcpy, char *to, const char *from)
{
    mz__copy_memory(to, from, mz__string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap___strcpy_chk, char *to, const char *from, size_t room)
{
    (void)room;
    mz__copy_memory(to, from, mz__string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap_strncpy, char *to, const char *from, size_t bytes)
{
    size_t length = mz__limited_length(from, bytes);
    mz__copy_memory(to, from, length);
    mz__fill_memory(to + length, 0, bytes - length);
    return to;
}

MZ__HOOK(char *, __wrap_strcat, char *to, const char *from)
{
    mz__copy_memory(to + mz__string_length(to), from, mz__string_length(from) + 1);
    return to;
}

MZ__HOOK(char *, __wrap_strncat, char *to, const char *from, size_t most)
{
    size_t length = mz__limited_length(from, most);
    char *end = to + mz__string_length(to);
    mz__copy_memory(end, from, length);
    mz__plain_access((uintptr_t)end + length, 1, true);
    end[length] = 0;
    return to;
}

MZ__HOOK(char *, __wrap_stpcpy, char *to, const char *from)
{
    size_t length = mz__string_length(from);
    mz__copy_memory(to, from, length + 1);
    return to + length;
}

MZ__HOOK(char *, __wrap_stpncpy, char *to, const char *from, size_t bytes)
{
    size_t length = mz__limited_length(from, bytes);
    mz__hook___wrap_strncpy(to, from, bytes);
    return to + length;
}

MZ__HOOK(char *, __wrap___strcat_chk, char *to, const char *from, size_t room)
{
    (void)room;
    return mz__hook___wrap_strcat(to, from);
}

MZ__HOOK(char *, __wrap___strncat_chk, char *to, const char *from, size_t most, size_t room)
{
    (void)room;
    return mz__hook___wrap_strncat(to, from, most);
}

MZ__HOOK(char *, __wrap___strncpy_chk, char *to, const char *from, size_t bytes, size_t room)
{
    (void)room;
    return mz__hook___wrap_strncpy(to, from, bytes);
}

/* ---- words for errors -------------------------------------------------------------------------------------
 */

/* The GNU one need not use the buffer, and does not where the words are known. */
MZ__HOOK(char *, __wrap_strerror_r, int number, char *buffer, size_t room)
{
    const char *words = strerrordesc_np(number);
    if (words)
        return (char *)words;
    char text[64];
    size_t length = (size_t)snprintf(text, sizeof text, "Unknown error %d", number) + 1;
    mz__write_memory(buffer, text, length < room ? length : room);
    return buffer;
}

MZ__HOOK(int, __wrap___xpg_strerror_r, int number, char *buffer, size_t room)
{
    const char *words = strerrordesc_np(number);
    size_t length = words ? strlen(words) + 1 : 0;
    if (length > room)
        return ERANGE;
    mz__write_memory(buffer, words, length);
    return words ? 0 : EINVAL;
}
