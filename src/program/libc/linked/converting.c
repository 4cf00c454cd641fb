/* Compiled into a program that converts between characters of one byte and wide ones, in the "C" locale:
 * every byte up to 127 is the character with that number, and there are no others. And numbers in wide
 * strings, and what searches them. All names are weak: the program's own win. */
#line 1 "<converting>"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define WEAK __attribute__((weak))

enum { MOST = 127 };

static size_t refuse(void)
{
    errno = EILSEQ;
    return (size_t)-1;
}

/* ---- one character ---- */

WEAK size_t mbrtowc(wchar_t *__restrict to, const char *__restrict from, size_t room,
                    mbstate_t *__restrict state)
{
    (void)state;
    if (!from)
        return 0;
    if (room == 0)
        return (size_t)-2;
    unsigned char byte = (unsigned char)*from;
    if (byte > MOST)
        return refuse();
    if (to)
        *to = byte;
    return byte != 0;
}

WEAK size_t wcrtomb(char *__restrict to, wchar_t from, mbstate_t *__restrict state)
{
    (void)state;
    if (!to)
        return 1;
    if ((unsigned)from > MOST)
        return refuse();
    *to = (char)from;
    return 1;
}

WEAK int mbtowc(wchar_t *__restrict to, const char *__restrict from, size_t room)
{
    size_t got = from ? mbrtowc(to, from, room, NULL) : 0;
    return got == (size_t)-2 ? -1 : (int)got;
}

WEAK int wctomb(char *to, wchar_t from)
{
    return to ? (int)wcrtomb(to, from, NULL) : 0;
}

WEAK size_t mbrlen(const char *__restrict from, size_t room, mbstate_t *__restrict state)
{
    return mbrtowc(NULL, from, room, state);
}

WEAK int mblen(const char *from, size_t room)
{
    return mbtowc(NULL, from, room);
}

WEAK int mbsinit(const mbstate_t *state)
{
    (void)state;
    return 1;
}

/* ---- strings: how far they came is written only by those that are asked to ---- */

static size_t widen(wchar_t *to, const char *from, size_t room, const char **stopped)
{
    for (size_t i = 0; i < room || !to; i++) {
        wchar_t c;
        if (mbrtowc(&c, from + i, 1, NULL) == (size_t)-1) {
            *stopped = from + i;
            return (size_t)-1;
        }
        if (to)
            to[i] = c;
        if (!c) {
            *stopped = NULL;
            return i;
        }
    }
    *stopped = from + room;
    return room;
}

static size_t narrow(char *to, const wchar_t *from, size_t room, const wchar_t **stopped)
{
    for (size_t i = 0; i < room || !to; i++) {
        char c;
        if (wcrtomb(&c, from[i], NULL) == (size_t)-1) {
            *stopped = from + i;
            return (size_t)-1;
        }
        if (to)
            to[i] = c;
        if (!c) {
            *stopped = NULL;
            return i;
        }
    }
    *stopped = from + room;
    return room;
}

WEAK size_t mbstowcs(wchar_t *__restrict to, const char *__restrict from, size_t room)
{
    const char *stopped;
    return widen(to, from, room, &stopped);
}

WEAK size_t wcstombs(char *__restrict to, const wchar_t *__restrict from, size_t room)
{
    const wchar_t *stopped;
    return narrow(to, from, room, &stopped);
}

WEAK size_t mbsrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t room,
                      mbstate_t *__restrict state)
{
    (void)state;
    const char *stopped;
    size_t count = widen(to, *from, room, &stopped);
    if (to)
        *from = stopped;
    return count;
}

WEAK size_t wcsrtombs(char *__restrict to, const wchar_t **__restrict from, size_t room,
                      mbstate_t *__restrict state)
{
    (void)state;
    const wchar_t *stopped;
    size_t count = narrow(to, *from, room, &stopped);
    if (to)
        *from = stopped;
    return count;
}

/* ---- what works on narrow strings, for wide ones ---- */

/* A copy on the heap; what is no character here becomes one that no conversion takes. */
static char *as_bytes(const wchar_t *text)
{
    size_t length = wcslen(text);
    char *bytes = (char *)malloc(length + 1);
    for (size_t i = 0; bytes && i <= length; i++)
        bytes[i] = (char)((unsigned)text[i] <= MOST ? text[i] : 1);
    return bytes;
}

#define NUMBER(T, name, narrow_name)                                                                         \
    WEAK T name(const wchar_t *__restrict text, wchar_t **__restrict end, int base)                          \
    {                                                                                                        \
        char *bytes = as_bytes(text), *stopped = bytes;                                                      \
        T number = narrow_name(bytes, &stopped, base);                                                       \
        if (end)                                                                                             \
            *end = (wchar_t *)text + (stopped - bytes);                                                      \
        free(bytes);                                                                                         \
        return number;                                                                                       \
    }
NUMBER(long, wcstol, strtol)
NUMBER(unsigned long, wcstoul, strtoul)
NUMBER(long long, wcstoll, strtoll)
NUMBER(unsigned long long, wcstoull, strtoull)

#define REAL(T, name, narrow_name)                                                                           \
    WEAK T name(const wchar_t *__restrict text, wchar_t **__restrict end)                                    \
    {                                                                                                        \
        char *bytes = as_bytes(text), *stopped = bytes;                                                      \
        T number = narrow_name(bytes, &stopped);                                                             \
        if (end)                                                                                             \
            *end = (wchar_t *)text + (stopped - bytes);                                                      \
        free(bytes);                                                                                         \
        return number;                                                                                       \
    }
REAL(double, wcstod, strtod)
REAL(float, wcstof, strtof)

WEAK int vswscanf(const wchar_t *__restrict text, const wchar_t *__restrict format, va_list list)
{
    char *bytes = as_bytes(text), *directives = as_bytes(format);
    int count = vsscanf(bytes, directives, list);
    free(bytes);
    free(directives);
    return count;
}

#define SCAN(name)                                                                                           \
    WEAK int name(const wchar_t *__restrict text, const wchar_t *__restrict format, ...)                     \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, format);                                                                              \
        int count = vswscanf(text, format, list);                                                            \
        va_end(list);                                                                                        \
        return count;                                                                                        \
    }
int mz_swscanf(const wchar_t *__restrict, const wchar_t *__restrict, ...) __asm__("swscanf");
int mz_swscanf99(const wchar_t *__restrict, const wchar_t *__restrict, ...) __asm__("__isoc99_swscanf");
int mz_swscanf23(const wchar_t *__restrict, const wchar_t *__restrict, ...) __asm__("__isoc23_swscanf");
SCAN(mz_swscanf)
SCAN(mz_swscanf99)
SCAN(mz_swscanf23)
