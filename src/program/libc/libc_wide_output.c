/* Formatting and printing wide characters. The locale is always "C": one that is not ASCII cannot be printed.
 */
#include <errno.h>
#include <stdarg.h>
#include <wchar.h>

#include "program/describe/failures.h"
#include "program/libc/libc.h"
#include "program/libc/libc_format.h"
#include "program/runtime/for_the_program.h"
#include "program/world/fiber.h"

enum { MOST = 1 << 14, MOST_FORMAT = 1024 };

/* The text of the call that runs: nothing comes in between once all is read. */
static wchar_t text[MOST];

/* What its conversions read is the same as of the format in narrow characters. */
static void read_wide_arguments(const wchar_t *format, va_list list)
{
    char narrow[MOST_FORMAT];
    size_t length = mz__wide_length(format, PTRDIFF_MAX);
    if (length >= MOST_FORMAT)
        mz__give_up(mz__caller.pc, "a wide format of more than %d characters", MOST_FORMAT);
    for (size_t i = 0; i <= length && i < MOST_FORMAT; i++)
        narrow[i] = (uint32_t)format[i] < 128 ? (char)format[i] : '_';
    mz__read_conversions(narrow, list);
}

/* How long the text is; negative if there is none. */
static int format_wide(const wchar_t *format, va_list list)
{
    va_list again;
    read_wide_arguments(format, list);
    va_copy(again, list);
    errno = 0;
    int length = vswprintf(text, MOST, format, again);
    va_end(again);
    if (length < 0 && errno != EILSEQ)
        mz__give_up(mz__caller.pc, "more than %d wide characters are formatted at once", MOST - 1);
    return length;
}

static int print_wide(const wchar_t *from, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((uint32_t)from[i] >= 128) {
            errno = EILSEQ;
            return -1;
        }
    for (size_t i = 0; i < length; i++)
        mz__print_bytes(&(char){(char)from[i]}, 1);
    return (int)length;
}

static void check_standard(FILE *file)
{
    mz__check_stream(file);
    if (file != stdout && file != stderr)
        mz__give_up(mz__caller.pc, "the program prints wide characters to a file");
}

int mz__print_wide(FILE *file, const wchar_t *format, va_list list, uintptr_t pc);
int mz__print_wide_into(wchar_t *to, size_t room, const wchar_t *format, va_list list, uintptr_t pc);

MZ__HOOK(int, mz__print_wide, FILE *file, const wchar_t *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    check_standard(file);
    int length = format_wide(format, list);
    return length < 0 ? length : print_wide(text, (size_t)length);
}

/* Unlike snprintf() it is a failure if there is no room. */
MZ__HOOK(int, mz__print_wide_into, wchar_t *to, size_t room, const wchar_t *format, va_list list,
         uintptr_t pc)
{
    mz__caller.pc = pc;
    int length = format_wide(format, list);
    if (length < 0 || room == 0)
        return -1;
    bool fits = (size_t)length < room;
    size_t written = fits ? (size_t)length : room - 1;
    mz__write_memory(to, text, written * sizeof *to);
    mz__write_memory(to + written, L"", sizeof *to);
    return fits ? length : -1;
}

MZ__VARIADIC(int, __wrap_wprintf, const wchar_t *format,
             ...){MZ__WITH_LIST(format, mz__print_wide(stdout, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_fwprintf, FILE *file, const wchar_t *format,
             ...){MZ__WITH_LIST(format, mz__print_wide(file, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_swprintf, wchar_t *to, size_t room, const wchar_t *format,
             ...){MZ__WITH_LIST(format, mz__print_wide_into(to, room, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_vwprintf, const wchar_t *format, va_list list)
{
    return mz__print_wide(stdout, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vfwprintf, FILE *file, const wchar_t *format, va_list list)
{
    return mz__print_wide(file, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vswprintf, wchar_t *to, size_t room, const wchar_t *format, va_list list)
{
    return mz__print_wide_into(to, room, format, list, MZ__PC);
}

static wint_t print_character(wchar_t c, FILE *file)
{
    check_standard(file);
    return print_wide(&c, 1) < 0 ? WEOF : (wint_t)c;
}

MZ__HOOK(wint_t, __wrap_putwchar, wchar_t c)
{
    return print_character(c, stdout);
}

MZ__HOOK(wint_t, __wrap_putwc, wchar_t c, FILE *file)
{
    return print_character(c, file);
}

MZ__HOOK(wint_t, __wrap_fputwc, wchar_t c, FILE *file)
{
    return print_character(c, file);
}

MZ__HOOK(int, __wrap_fputws, const wchar_t *from, FILE *file)
{
    check_standard(file);
    return print_wide(from, mz__wide_length(from, PTRDIFF_MAX)) < 0 ? -1 : 1;
}
