/* What printing narrow and wide characters have in common. */
#ifndef MZ_PROGRAM_LIBC_LIBC_FORMAT_H
#define MZ_PROGRAM_LIBC_LIBC_FORMAT_H

#include <stdarg.h>
#include <wchar.h>

#include "program/libc/libc.h"

/* What the conversions of a format take and read. From the first one on that is not understood (numbered
 * arguments), what it reads is not seen. The format itself is the checker's, or was read. */
void mz__read_conversions(const char *format, va_list list);

/* In a hook: what its caller prints. */
int mz__print_for_caller(const char *format, va_list list);

/* One by one where others may write in between, with its end. */
size_t mz__wide_length(const wchar_t *text, size_t most);

/* A function with a variable number of arguments cannot be a hook, because those may be on the stack. It
 * calls one, and says for whom. */
#define MZ__VARIADIC(result, name, ...)                                                                      \
    result name(__VA_ARGS__);                                                                                \
    result name(__VA_ARGS__)
#define MZ__PC ((uintptr_t)__builtin_return_address(0))
/* The body of such a function, whose arguments follow FORMAT: what CALL makes of the list. */
#define MZ__WITH_LIST(format, call)                                                                          \
    va_list list;                                                                                            \
    va_start(list, format);                                                                                  \
    int length = call;                                                                                       \
    va_end(list);                                                                                            \
    return length;

#endif
