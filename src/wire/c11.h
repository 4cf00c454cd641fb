/* What a pthread function returns, as the function of <threads.h> does. */
#ifndef MZ_WIRE_C11_H
#define MZ_WIRE_C11_H

#include <errno.h>
#include <threads.h>

static inline int mz_c11_result(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

#endif
