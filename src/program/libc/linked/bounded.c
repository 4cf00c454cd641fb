/* Compiled into a program that uses the bounds-checking functions of Annex K of the C standard, which the C
 * library does not have: K.3.7.1 and K.3.7.4, the handlers of K.3.6.1, printing of K.3.5.3. What they touch is
 * memory of the program, and its handler is called as by any function. All names are weak: a program that
 * brings its own implementation is checked with that. */
#line 1 "<bounded>"
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK  __attribute__((weak))
#define LIMIT (SIZE_MAX >> 1) /* RSIZE_MAX */

typedef void (*handler)(const char *, void *, int);

static handler current;

WEAK void abort_handler_s(const char *text, void *object, int error)
{
    (void)text, (void)object, (void)error;
    abort();
}

WEAK void ignore_handler_s(const char *text, void *object, int error)
{
    (void)text, (void)object, (void)error;
}

WEAK handler set_constraint_handler_s(handler new)
{
    handler old = current;
    current = new;
    return old ? old : ignore_handler_s;
}

/* Which one there is without a choice of the program's is up to the implementation: one that goes on, so that
 * what the program does with the result is checked. */
static int violated(const char *text, int error)
{
    (current ? current : ignore_handler_s)(text, NULL, error);
    return error;
}

static int overlap(const void *a, size_t a_size, const void *b, size_t b_size)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x < y + b_size && y < x + a_size;
}

/* ---- bytes ---- */

static int check_copy(void *to, size_t room, const void *from, size_t count, int apart, const char *text)
{
    if (!to || room > LIMIT)
        return violated(text, EINVAL);
    int wrong = !from ? EINVAL : count > room ? ERANGE : 0;
    if (!wrong && apart && overlap(to, count, from, count))
        wrong = EINVAL;
    if (wrong)
        memset(to, 0, room);
    return wrong ? violated(text, wrong) : 0;
}

WEAK int memcpy_s(void *restrict to, size_t room, const void *restrict from, size_t count)
{
    int wrong = check_copy(to, room, from, count, 1, "memcpy_s");
    if (!wrong)
        memcpy(to, from, count);
    return wrong;
}

WEAK int memmove_s(void *to, size_t room, const void *from, size_t count)
{
    int wrong = check_copy(to, room, from, count, 0, "memmove_s");
    if (!wrong)
        memmove(to, from, count);
    return wrong;
}

WEAK int memset_s(void *to, size_t room, int value, size_t count)
{
    if (!to || room > LIMIT)
        return violated("memset_s", EINVAL);
    memset(to, value, count > room ? room : count);
    return count > room ? violated("memset_s", ERANGE) : 0;
}

/* ---- strings ---- */

WEAK size_t strnlen_s(const char *text, size_t most)
{
    return text ? strnlen(text, most) : 0;
}

/* Copies behind what is there already. */
static int join(char *to, size_t used, size_t room, const char *from, size_t most, const char *text)
{
    if (!to || room == 0 || room > LIMIT)
        return violated(text, EINVAL);
    size_t left = used < room ? room - used : 0;
    size_t length = from ? strnlen(from, most < left ? most : left) : 0;
    int wrong = !from || left == 0 ? EINVAL : length >= left ? ERANGE : 0;
    if (!wrong && overlap(to, room, from, length + (length < most)))
        wrong = EINVAL;
    if (wrong) {
        to[0] = 0;
        return violated(text, wrong);
    }
    memcpy(to + used, from, length);
    to[used + length] = 0;
    return 0;
}

static size_t length_in(const char *text, size_t room)
{
    return text && room <= LIMIT ? strnlen(text, room) : 0;
}

WEAK int strcpy_s(char *restrict to, size_t room, const char *restrict from)
{
    return join(to, 0, room, from, SIZE_MAX, "strcpy_s");
}

WEAK int strncpy_s(char *restrict to, size_t room, const char *restrict from, size_t most)
{
    return join(to, 0, room, from, most, "strncpy_s");
}

WEAK int strcat_s(char *restrict to, size_t room, const char *restrict from)
{
    return join(to, length_in(to, room), room, from, SIZE_MAX, "strcat_s");
}

WEAK int strncat_s(char *restrict to, size_t room, const char *restrict from, size_t most)
{
    return join(to, length_in(to, room), room, from, most, "strncat_s");
}

WEAK char *strtok_s(char *restrict text, size_t *restrict room, const char *restrict ends,
                    char **restrict state)
{
    if (!room || !ends || !state || (!text && !*state)) {
        violated("strtok_s", EINVAL);
        return NULL;
    }
    char *at = text ? text : *state;
    while (*room > 0 && *at && strchr(ends, *at))
        at++, --*room;
    char *token = at;
    while (*room > 0 && *at && !strchr(ends, *at))
        at++, --*room;
    if (*room == 0) {
        *state = NULL;
        violated("strtok_s", EINVAL);
        return NULL;
    }
    *state = at;
    if (*at) {
        *at = 0;
        *state = at + 1;
        --*room;
    }
    return at > token ? token : NULL;
}

/* ---- printing into memory ---- */

static int print(char *to, size_t room, int cut, const char *text, const char *format, va_list list)
{
    if (!to || !format || room == 0 || room > LIMIT) {
        if (to && room > 0 && room <= LIMIT)
            to[0] = 0;
        violated(text, EINVAL);
        return -1;
    }
    int length = vsnprintf(to, room, format, list);
    if (length >= 0 && ((size_t)length < room || cut))
        return length;
    to[0] = 0;
    violated(text, ERANGE);
    return 0;
}

WEAK int sprintf_s(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    int length = print(to, room, 0, "sprintf_s", format, list);
    va_end(list);
    return length;
}

WEAK int vsprintf_s(char *restrict to, size_t room, const char *restrict format, va_list list)
{
    return print(to, room, 0, "vsprintf_s", format, list);
}

WEAK int snprintf_s(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    int length = print(to, room, 1, "snprintf_s", format, list);
    va_end(list);
    return length;
}
