/* Values that a thread has read, and those that are there now. */
#ifndef MZ_PROGRAM_LOOPS_SEEN_H
#define MZ_PROGRAM_LOOPS_SEEN_H

#include <string.h>

#include "program/world/world.h"

static inline void mz__copy_value(const mz__seen *seen, uint64_t value[2])
{
    const volatile void *address = (const volatile void *)seen->address;
    value[1] = 0;
    switch (seen->size) { /* a call of memcpy would take longer */
    case 1:
        value[0] = *(const volatile uint8_t *)address;
        break;
    case 4:
        value[0] = *(const volatile uint32_t *)address;
        break;
    case 8:
        value[0] = *(const volatile uint64_t *)address;
        break;
    default:
        value[0] = 0;
        memcpy(value, (const void *)seen->address, seen->size);
    }
}

static inline bool mz__is_as_seen(const mz__seen *seen)
{
    uint64_t now[2];
    mz__copy_value(seen, now);
    return now[0] == seen->value[0] && now[1] == seen->value[1];
}

#endif
