/* <err.h> and error(): messages for standard error, after which some of them end the program. */
#include <errno.h>
#include <stdarg.h>

#include "native/endings.h"
#include "native/libc_format.h"

enum { ENDS = 1, NO_NUMBER = 0 };

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

int mz__tell(int status, uint32_t how, int number, const char *format, va_list list, uintptr_t pc);

/* "program: message: what errno says". */
MZ__HOOK(int, mz__tell, int status, uint32_t how, int number, const char *format, va_list list, uintptr_t pc)
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
    if (how & ENDS)
        mz__exit(status, pc, &mz__caller);
    return 0;
}

MZ__VARIADIC(int, __wrap_err, int status, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(status, ENDS, errno, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_errx, int status, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(status, ENDS, NO_NUMBER, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_warn, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(0, 0, errno, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_warnx, const char *format,
             ...){MZ__WITH_LIST(format, mz__tell(0, 0, NO_NUMBER, format, list, MZ__PC))}

MZ__VARIADIC(int, __wrap_verr, int status, const char *format, va_list list)
{
    return mz__tell(status, ENDS, errno, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_verrx, int status, const char *format, va_list list)
{
    return mz__tell(status, ENDS, NO_NUMBER, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vwarn, const char *format, va_list list)
{
    return mz__tell(0, 0, errno, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_vwarnx, const char *format, va_list list)
{
    return mz__tell(0, 0, NO_NUMBER, format, list, MZ__PC);
}

MZ__VARIADIC(int, __wrap_error, int status, int number, const char *format, ...)
{
    MZ__WITH_LIST(format, mz__tell(status, status ? ENDS : 0, number, format, list, MZ__PC))
}
