/* Output of the program: kept for the execution that somebody is shown. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "native/schedule.h"

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
    mz__string_length(text);
    return print(text, strlen(text)) + print("\n", 1);
}

MZ__HOOK(int, __wrap_fputs, const char *text, FILE *file)
{
    (void)file;
    mz__string_length(text);
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
