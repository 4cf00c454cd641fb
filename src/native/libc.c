/* Time and randomness, which are functions of the thread and how often it has asked, and thread-local
 * variables. */
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "native/schedule.h"

enum { EPOCH = 1000000000 };

static uint32_t milliseconds(void)
{
    if (!mz__w.current)
        return 0;
    mz__made_progress(); /* a loop that looks at the clock does not stay the same */
    return ++mz__rarely(mz__w.current)->virtual_time;
}

MZ__HOOK(time_t, __wrap_time, time_t *result)
{
    time_t now = EPOCH + milliseconds() / 1000;
    if (result) {
        mz__plain_access((uintptr_t)result, sizeof *result, true);
        *result = now;
    }
    return now;
}

MZ__HOOK(clock_t, __wrap_clock, void)
{
    return (clock_t)milliseconds() * (CLOCKS_PER_SEC / 1000);
}

MZ__HOOK(int, __wrap_clock_gettime, clockid_t id, struct timespec *result)
{
    (void)id;
    uint32_t now = milliseconds();
    mz__plain_access((uintptr_t)result, sizeof *result, true);
    *result = (struct timespec){.tv_sec = EPOCH + now / 1000, .tv_nsec = now % 1000 * 1000000L};
    return 0;
}

MZ__HOOK(int, __wrap_gettimeofday, struct timeval *result, void *zone)
{
    (void)zone;
    uint32_t now = milliseconds();
    mz__plain_access((uintptr_t)result, sizeof *result, true);
    *result = (struct timeval){.tv_sec = EPOCH + now / 1000, .tv_usec = now % 1000 * 1000L};
    return 0;
}

static int next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(*state >> 33) & RAND_MAX;
}

static int random_number(void)
{
    static uint64_t early = 1;
    if (!mz__w.current)
        return next_random(&early);
    mz__made_progress();
    return next_random(&mz__rarely(mz__w.current)->random_state);
}

MZ__HOOK(int, __wrap_rand, void)
{
    return random_number();
}

MZ__HOOK(long, __wrap_random, void)
{
    return random_number();
}

MZ__HOOK(void, __wrap_srand, unsigned seed)
{
    if (mz__w.current)
        mz__rarely(mz__w.current)->random_state = seed;
}

MZ__HOOK(void, __wrap_srandom, unsigned seed)
{
    if (mz__w.current)
        mz__rarely(mz__w.current)->random_state = seed;
}

MZ__HOOK(int, __wrap_rand_r, unsigned *seed)
{
    uint64_t state = *seed;
    int value = next_random(&state);
    mz__plain_access((uintptr_t)seed, sizeof *seed, true);
    *seed = (unsigned)(state >> 17);
    return value;
}

/* ---- thread-local variables
 * ---------------------------------------------------------------------------------- */

typedef struct tls_index {
    unsigned long module, offset;
} tls_index;

MZ__HOOK(void *, __wrap___tls_get_addr, const tls_index *index)
{
    return (char *)mz__tls_block(mz__w.current ? mz__me() : 0) + index->offset;
}
