#define _GNU_SOURCE /* sched_getaffinity */
#include "base/processors.h"

#include <sched.h>

uint32_t mz_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}
