/* scanf and its kin. The library's own one reads, into memory of ours; what it has found is then written
 * where the program wants it. That works without looking at types, since all arguments are pointers: only how
 * many bytes each of them gets has to be known. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/libc/libc.h"

enum { MOST_RESULTS = 12, MOST_TEXT = 2048, UNTOUCHED = 0xa5 };

typedef struct result {
    size_t size;      /* 0: a string, as long as it is */
    bool is_position; /* %n: does not count as a result */
    _Alignas(16) char bytes[MOST_TEXT + 1];
} result;

typedef struct scan {
    result results[MOST_RESULTS];
    size_t count;
    char text[MOST_TEXT + 1];
    size_t length; /* of the text */
    size_t used;   /* of it */
} scan;

static size_t size_of_integer(const char *modifier)
{
    return strncmp(modifier, "hh", 2) == 0 ? 1
           : *modifier == 'h'              ? sizeof(short)
           : strchr("ljztqL", *modifier)   ? sizeof(long)
                                           : sizeof(int);
}

static size_t size_of_fraction(const char *modifier)
{
    return *modifier == 'L' ? sizeof(long double) : *modifier == 'l' ? sizeof(double) : sizeof(float);
}

/* "[abc]", "[]abc]" and "[^]abc]" from behind the first bracket; NULL if it does not end. */
static const char *skip_set(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    at = strchr(at, ']');
    return at ? at + 1 : NULL;
}

static bool set_size(result *r, char conversion, const char *modifier, long width)
{
    r->size = 0;
    r->is_position = conversion == 'n';
    if (strchr("diouxXn", conversion))
        r->size = size_of_integer(modifier);
    else if (strchr("aAeEfFgG", conversion))
        r->size = size_of_fraction(modifier);
    else if (conversion == 'p')
        r->size = sizeof(void *);
    else if (*modifier != '-')
        return false; /* wide characters */
    else if (conversion == 'c')
        r->size = width > 0 ? (size_t)width : 1;
    else
        return conversion == 's' || conversion == '[';
    return r->size <= MOST_TEXT;
}

/* One conversion, from behind its "%". Returns where it ends, NULL if it is none we know. */
static const char *add_conversion(scan *s, const char *at)
{
    bool dropped = *at == '*';
    at += dropped;
    char *behind;
    long width = strtol(at, &behind, 10);
    const char *modifier = behind;
    at = modifier + strspn(modifier, "hlLjztq");
    if (at == modifier)
        modifier = "-";
    char conversion = *at;
    if (conversion == '%')
        return at + 1;
    if (!conversion || s->count == MOST_RESULTS)
        return NULL;
    if (!set_size(&s->results[s->count], conversion, modifier, width))
        return NULL;
    s->count += !dropped;
    return conversion == '[' ? skip_set(at + 1) : at + 1;
}

static bool understand(scan *s, const char *format)
{
    const char *at = strchr(format, '%');
    while (at) {
        at = add_conversion(s, at + 1);
        if (!at)
            return false;
        at = strchr(at, '%');
    }
    return true;
}

static int read_text(scan *s, const char *format)
{
    FILE *file = s->length ? fmemopen(s->text, s->length, "r") : NULL;
    if (!file)
        return EOF;
    result *r = s->results;
    for (size_t i = 0; i < MOST_RESULTS; i++)
        memset(r[i].bytes, UNTOUCHED, sizeof r[i].bytes);
    int found = fscanf(file, format, r[0].bytes, r[1].bytes, r[2].bytes, r[3].bytes, r[4].bytes, r[5].bytes,
                       r[6].bytes, r[7].bytes, r[8].bytes, r[9].bytes, r[10].bytes, r[11].bytes);
    s->used = (size_t)ftell(file);
    fclose(file);
    return found;
}

/* A position was noted only if reading came that far; none is as large as what stood there before. */
static bool was_found(const result *r, int left)
{
    char untouched[sizeof(long)];
    memset(untouched, UNTOUCHED, sizeof untouched);
    return r->is_position ? memcmp(r->bytes, untouched, r->size) != 0 : left > 0;
}

static void hand_out(const scan *s, int found, va_list list)
{
    for (size_t i = 0; i < s->count; i++) {
        const result *r = &s->results[i];
        void *to = va_arg(list, void *);
        if (!was_found(r, found))
            continue;
        found -= !r->is_position;
        mz__write_memory(to, r->bytes, r->size ? r->size : strlen(r->bytes) + 1);
    }
}

static int find_results(scan *s, const char *format)
{
    mz__string_length(format);
    s->count = s->used = 0;
    if (understand(s, format))
        return read_text(s, format);
    mz__give_up(mz__caller.pc, "the format \"%s\" is not supported", format);
    return EOF;
}

int mz__scan_string(const char *text, const char *format, va_list list, uintptr_t pc);
int mz__scan_file(FILE *file, const char *format, va_list list, uintptr_t pc);

MZ__HOOK(int, mz__scan_string, const char *text, const char *format, va_list list, uintptr_t pc)
{
    scan s;
    mz__caller.pc = pc;
    s.length = mz__string_length(text);
    if (s.length > MOST_TEXT) {
        mz__give_up(pc, "sscanf from a text of more than %d bytes", MOST_TEXT);
        return EOF;
    }
    memcpy(s.text, text, s.length);
    int found = find_results(&s, format);
    hand_out(&s, found, list);
    return found;
}

MZ__HOOK(int, mz__scan_file, FILE *file, const char *format, va_list list, uintptr_t pc)
{
    scan s;
    mz__caller.pc = pc;
    size_t left;
    const char *text = mz__file_rest(file, "fscanf", &left);
    s.length = left < MOST_TEXT ? left : MOST_TEXT;
    if (s.length)
        memcpy(s.text, text, s.length);
    int found = find_results(&s, format);
    if (s.used == MOST_TEXT && left > MOST_TEXT)
        mz__give_up(pc, "fscanf of more than %d bytes at once", MOST_TEXT);
    mz__file_skip(file, s.used, s.used == left);
    hand_out(&s, found, list);
    return found;
}

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define SCAN_STRING(name)                                                                                    \
    int __wrap_##name(const char *text, const char *format, ...);                                            \
    int __wrap_##name(const char *text, const char *format, ...)                                             \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, format);                                                                              \
        int found = mz__scan_string(text, format, list, CALLER);                                             \
        va_end(list);                                                                                        \
        return found;                                                                                        \
    }
#define SCAN_LIST(name)                                                                                      \
    int __wrap_##name(const char *text, const char *format, va_list list);                                   \
    int __wrap_##name(const char *text, const char *format, va_list list)                                    \
    {                                                                                                        \
        return mz__scan_string(text, format, list, CALLER);                                                  \
    }
#define SCAN_FILE(name)                                                                                      \
    int __wrap_##name(FILE *file, const char *format, ...);                                                  \
    int __wrap_##name(FILE *file, const char *format, ...)                                                   \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, format);                                                                              \
        int found = mz__scan_file(file, format, list, CALLER);                                               \
        va_end(list);                                                                                        \
        return found;                                                                                        \
    }
#define SCAN_INPUT(name)                                                                                     \
    int __wrap_##name(const char *format, ...);                                                              \
    int __wrap_##name(const char *format, ...)                                                               \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, format);                                                                              \
        int found = mz__scan_file(stdin, format, list, CALLER);                                              \
        va_end(list);                                                                                        \
        return found;                                                                                        \
    }

/* Headers have several names for the same. */
SCAN_STRING(sscanf)
SCAN_LIST(vsscanf)
SCAN_FILE(fscanf)
SCAN_INPUT(scanf)
SCAN_STRING(__isoc99_sscanf)
SCAN_LIST(__isoc99_vsscanf)
SCAN_FILE(__isoc99_fscanf)
SCAN_INPUT(__isoc99_scanf)
SCAN_STRING(__isoc23_sscanf)
SCAN_LIST(__isoc23_vsscanf)
SCAN_FILE(__isoc23_fscanf)
SCAN_INPUT(__isoc23_scanf)
