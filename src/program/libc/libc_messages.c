/* <err.h>, error() and perror(): messages for standard error, after which some of them end the program. */
#include <errno.h>
#include <stdarg.h>

#include "program/pthread/endings.h"
#include "program/libc/libc_format.h"

enum { NO_NUMBER = -1 }; /* 0 is one: "Success" */

static void print_text(const char *text)
{
    mz__print_bytes(text, strlen(text));
}

static void print_name_of_program(void)
{
    const char *path = mz__w.arguments[0], *slash = strrchr(path, '/');
    print_text(slash ? slash + 1 : path);
    print_text(": ");
}

MZ__HOOK(void, __wrap_perror, const char *text)
{
    int number = errno;
    if (text && mz__string_length(text) > 0) {
        print_text(text);
        print_text(": ");
    }
    print_text(strerror(number));
    print_text("\n");
}

int mz__tell(int status, bool ends, int number, const char *format, va_list list, uintptr_t pc);

/* "program: message: what errno says". */
MZ__HOOK(int, mz__tell, int status, bool ends, int number, const char *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    print_name_of_program();
    if (format)
        mz__print_for_caller(format, list);
    if (number != NO_NUMBER) {
        print_text(format ? ": " : "");
        print_text(strerror(number));
    }
    print_text("\n");
    if (ends)
        mz__exit(status, pc, &mz__caller);
    return 0;
}

MZ__VARIADIC(int, __wrap_err, int status, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(status, true, errno, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_errx, int status, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(status, true, NO_NUMBER, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_warn, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(0, false, errno, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_warnx, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(0, false, NO_NUMBER, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_verr, int status, const char *format, va_list list)
{
    return mz__tell(status, true, errno, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_verrx, int status, const char *format, va_list list)
{
    return mz__tell(status, true, NO_NUMBER, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vwarn, const char *format, va_list list)
{
    return mz__tell(0, false, errno, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vwarnx, const char *format, va_list list)
{
    return mz__tell(0, false, NO_NUMBER, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_error, int status, int number, const char *format, ...)
{
    MZ__WITH_LIST(format, mz__tell(status, status != 0, number ? number : NO_NUMBER, format, list, MZ__PC))
}
