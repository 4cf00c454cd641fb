/* The clocks of threads (clock.c). */
#ifndef MZ_PROGRAM_WORLD_CLOCK_H
#define MZ_PROGRAM_WORLD_CLOCK_H

#include <time.h>

#include "program/world/world.h"

enum {
    MZ__SECOND = 1000000000 /* in nanoseconds */,
    MZ__EPOCH = 1000000000 /* seconds: when programs begin */
};

/* The highest number if there are more. */
uint64_t mz__as_nanoseconds(time_t seconds, long nanoseconds);
/* Nanoseconds on the clock of the running thread. Asking takes time, too. */
uint64_t mz__clock_now(void);
void mz__clock_advance(uint64_t nanoseconds);
/* It is as late as that by now. */
void mz__clock_pass(const struct timespec *deadline);

#endif
