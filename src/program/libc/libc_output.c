/* Output of the program: kept for the execution that somebody is shown. And formatting, also into memory. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <limits.h>

#include "program/libc/libc_format.h"

int mz__print_bytes(const char *text, size_t length)
{
    if (mz__w.narrating)
        mz_text_add_bytes(&mz__w.output, text, length);
    return (int)length;
}

/* ---- what a format reads ----------------------------------------------------------------------------------
 */

typedef struct arguments {
    va_list list;
} arguments;

static const char *skip(const char *at, const char *set)
{
    return at + strspn(at, set);
}

/* A width or precision; -1 if there is none. */
static long read_count(const char **at, arguments *given)
{
    if (**at == '*') {
        ++*at;
        return va_arg(given->list, int);
    }
    const char *end = skip(*at, "0123456789");
    long count = end > *at ? strtol(*at, NULL, 10) : -1;
    *at = end;
    return count;
}

static void read_string(const char *text, long most)
{
    if (text && most >= 0)
        mz__limited_length(text, (size_t)most);
    else if (text) /* otherwise "(null)" is printed */
        mz__string_length(text);
}

static void read_wide_string(const wchar_t *text, long most)
{
    if (text)
        mz__wide_length(text, most >= 0 ? (size_t)most : PTRDIFF_MAX);
}

/* %n: how many characters there are so far. Its size is that of the integer the modifier says. */
static void write_position(void *to, const char *modifier)
{
    size_t size = strncmp(modifier, "hh", 2) == 0 ? 1
                  : *modifier == 'h'              ? sizeof(short)
                  : strchr("ljztq", *modifier)    ? sizeof(long)
                                                  : sizeof(int);
    mz__plain_access((uintptr_t)to, size, true);
}

/* One conversion: the argument that it takes. False if it is none we know. */
static bool read_argument(char conversion, const char *modifier, long precision, arguments *given)
{
    bool is_long = strchr("ljztq", *modifier);
    if (strchr("diouxXc", conversion) && !(conversion == 'c' && is_long)) {
        if (is_long)
            (void)va_arg(given->list, long);
        else
            (void)va_arg(given->list, int);
    } else if (strchr("eEfFgGaA", conversion)) {
        if (*modifier == 'L')
            (void)va_arg(given->list, long double);
        else
            (void)va_arg(given->list, double);
    } else if (conversion == 's' && is_long) {
        read_wide_string(va_arg(given->list, const wchar_t *), precision);
    } else if (conversion == 's') {
        read_string(va_arg(given->list, const char *), precision);
    } else if (conversion == 'c') {
        (void)va_arg(given->list, wint_t);
    } else if (conversion == 'p') {
        (void)va_arg(given->list, void *);
    } else if (conversion == 'n') {
        write_position(va_arg(given->list, void *), modifier);
    } else {
        return conversion == 'm';
    }
    return true;
}

void mz__read_conversions(const char *format, va_list list)
{
    arguments given;
    va_copy(given.list, list);
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        at = skip(at + 1, "-+ #0'I");
        read_count(&at, &given);
        long precision = -1;
        if (*at == '.') {
            at++;
            precision = read_count(&at, &given);
            precision = precision < 0 ? 0 : precision;
        }
        const char *modifier = at;
        at = skip(at, "hlLjztq");
        if (*at != '%' && !(*at && read_argument(*at, at > modifier ? modifier : "-", precision, &given)))
            break;
        at++;
    }
    va_end(given.list);
}

/* How long the text will be; negative if the format is wrong. */
static int read_and_measure(const char *format, va_list list)
{
    va_list again;
    mz__string_length(format);
    mz__read_conversions(format, list);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    return length;
}

/* ---- printing
 * ---------------------------------------------------------------------------------------------- */

int mz__print(const char *format, va_list list, uintptr_t pc);
int mz__print_to_descriptor(int descriptor, const char *format, va_list list, uintptr_t pc);
int mz__print_to(FILE *file, const char *format, va_list list, uintptr_t pc);
int mz__print_into(char *to, size_t room, const char *format, va_list list, uintptr_t pc);
int mz__print_anew(char **to, const char *format, va_list list, uintptr_t pc);

int mz__print_for_caller(const char *format, va_list list)
{
    int length = read_and_measure(format, list);
    if (mz__w.narrating && length > 0)
        mz_text_add_list(&mz__w.output, format, list);
    return length;
}

MZ__HOOK(int, mz__print, const char *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    return mz__print_for_caller(format, list);
}

MZ__HOOK(int, mz__print_to, FILE *file, const char *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    if (file == stdout || file == stderr)
        return mz__hook_mz__print(format, list, pc);
    int length = read_and_measure(format, list);
    if (length < 0 || !mz__put_begin(file, "fprintf"))
        return -1;
    mz_text text = {0}; /* nobody else runs before it is released */
    mz_text_add_list(&text, format, list);
    mz__put(file, mz_text_string(&text), text.length);
    mz_text_release(&text);
    return length;
}

MZ__HOOK(int, mz__print_into, char *to, size_t room, const char *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    int length = read_and_measure(format, list);
    size_t written = length < 0 ? 0 : (size_t)length + 1 < room ? (size_t)length + 1 : room;
    mz__plain_access((uintptr_t)to, written, true);
    return vsnprintf(to, room, format, list);
}

MZ__HOOK(int, mz__print_anew, char **to, const char *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    int length = read_and_measure(format, list);
    char *text = length < 0 ? NULL : mz__allocate((size_t)length + 1, 16);
    if (!text)
        return -1;
    mz__plain_access((uintptr_t)text, (size_t)length + 1, true);
    vsnprintf(text, (size_t)length + 1, format, list);
    mz__write_memory(to, &text, sizeof text);
    return length;
}

MZ__VARIADIC(int, __wrap_printf, const char *format,
             ...){MZ__WITH_LIST(format, mz__print(format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_fprintf, FILE *file, const char *format,
             ...){MZ__WITH_LIST(format, mz__print_to(file, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_dprintf, int descriptor, const char *format,
             ...){MZ__WITH_LIST(format, mz__print_to_descriptor(descriptor, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_vdprintf, int descriptor, const char *format, va_list list)
{
    return mz__print_to_descriptor(descriptor, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap___printf_chk, int flag, const char *format, ...)
{
    (void)flag;
    MZ__WITH_LIST(format, mz__print(format, list, MZ__PC))
}

MZ__VARIADIC(int, __wrap___fprintf_chk, FILE *file, int flag, const char *format, ...)
{
    (void)flag;
    MZ__WITH_LIST(format, mz__print_to(file, format, list, MZ__PC))
}

MZ__VARIADIC(int, __wrap_vprintf, const char *format, va_list list)
{
    return mz__print(format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vfprintf, FILE *file, const char *format, va_list list)
{
    return mz__print_to(file, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap___vprintf_chk, int flag, const char *format, va_list list)
{
    (void)flag;
    return mz__print(format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap___vfprintf_chk, FILE *file, int flag, const char *format, va_list list)
{
    (void)flag;
    return mz__print_to(file, format, list, MZ__PC);
}

MZ__HOOK(int, __wrap_puts, const char *text)
{
    mz__string_length(text);
    return mz__print_bytes(text, strlen(text)) + mz__print_bytes("\n", 1);
}

MZ__HOOK(int, __wrap_fputs, const char *text, FILE *file)
{
    size_t length = mz__string_length(text);
    if (!mz__put_begin(file, "fputs"))
        return EOF;
    mz__put(file, text, length);
    return (int)(length < INT_MAX ? length : INT_MAX);
}

static int put_character(int c, FILE *file, const char *verb)
{
    if (!mz__put_begin(file, verb))
        return EOF;
    mz__put(file, &(char){(char)c}, 1);
    return (unsigned char)c;
}

MZ__HOOK(int, __wrap_putchar, int c)
{
    char byte = (char)c;
    mz__print_bytes(&byte, 1);
    return (unsigned char)c;
}

MZ__HOOK(int, __wrap_putc, int c, FILE *file)
{
    return put_character(c, file, "putc");
}

MZ__HOOK(int, __wrap_fputc, int c, FILE *file)
{
    return put_character(c, file, "fputc");
}

MZ__HOOK(size_t, __wrap_fwrite, const void *bytes, size_t size, size_t count, FILE *file)
{
    mz__plain_access((uintptr_t)bytes, size * count, false);
    if (!mz__put_begin(file, "fwrite"))
        return 0;
    mz__put(file, bytes, size * count);
    return count;
}

MZ__WITHOUT_EFFECT(fflush)
MZ__WITHOUT_EFFECT(setvbuf)
MZ__WITHOUT_EFFECT(setbuf)
MZ__WITHOUT_EFFECT(setlinebuf)

/* ---- into memory
 * ------------------------------------------------------------------------------------------- */

MZ__VARIADIC(int, __wrap_vsnprintf, char *to, size_t room, const char *format, va_list list)
{
    return mz__print_into(to, room, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vsprintf, char *to, const char *format, va_list list)
{
    return mz__print_into(to, INT32_MAX, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_snprintf, char *to, size_t room, const char *format,
             ...){MZ__WITH_LIST(format, mz__print_into(to, room, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_sprintf, char *to, const char *format,
             ...){MZ__WITH_LIST(format, mz__print_into(to, INT32_MAX, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap___snprintf_chk, char *to, size_t room, int flag, size_t size, const char *format,
             ...)
{
    (void)flag;
    (void)size;
    MZ__WITH_LIST(format, mz__print_into(to, room, format, list, MZ__PC))
}

MZ__VARIADIC(int, __wrap___sprintf_chk, char *to, int flag, size_t size, const char *format, ...)
{
    (void)flag;
    (void)size;
    MZ__WITH_LIST(format, mz__print_into(to, INT32_MAX, format, list, MZ__PC))
}

MZ__VARIADIC(int, __wrap___vsnprintf_chk, char *to, size_t room, int flag, size_t size, const char *format,
             va_list list)
{
    (void)flag;
    (void)size;
    return mz__print_into(to, room, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap___vsprintf_chk, char *to, int flag, size_t size, const char *format, va_list list)
{
    (void)flag;
    (void)size;
    return mz__print_into(to, INT32_MAX, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vasprintf, char **to, const char *format, va_list list)
{
    return mz__print_anew(to, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_asprintf, char **to, const char *format,
             ...){MZ__WITH_LIST(format, mz__print_anew(to, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap___asprintf_chk, char **to, int flag, const char *format, ...)
{
    (void)flag;
    MZ__WITH_LIST(format, mz__print_anew(to, format, list, MZ__PC))
}

MZ__VARIADIC(int, __wrap___vasprintf_chk, char **to, int flag, const char *format, va_list list)
{
    (void)flag;
    return mz__print_anew(to, format, list, MZ__PC);
}
