/* Random numbers: one sequence per thread. The generator of a real program is shared, but which of two
 * threads draws first would then be one more thing to explore, about numbers that are arbitrary anyway. */
#include <stdlib.h>
#include <sys/random.h>

#include "native/libc.h"

static int next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(*state >> 33) & RAND_MAX;
}

static int random_number(void)
{
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

static void seed_random(unsigned seed)
{
    mz__rarely(mz__w.current)->random_state = seed;
}

MZ__HOOK(void, __wrap_srand, unsigned seed)
{
    seed_random(seed);
}

MZ__HOOK(void, __wrap_srandom, unsigned seed)
{
    seed_random(seed);
}

MZ__HOOK(int, __wrap_rand_r, unsigned *seed)
{
    mz__plain_access((uintptr_t)seed, sizeof *seed, false);
    uint64_t state = *seed;
    int value = next_random(&state);
    unsigned next = (unsigned)(state >> 17);
    mz__write_memory(seed, &next, sizeof next);
    return value;
}

MZ__HOOK(ssize_t, __wrap_getrandom, unsigned char *to, size_t bytes, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < bytes; i++)
        mz__write_memory(to + i, &(unsigned char){(unsigned char)random_number()}, 1);
    return (ssize_t)bytes;
}

void mz__random_bytes(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = (unsigned char)random_number();
}

/* ---- the 48-bit generator, as the standard defines it -----------------------------------------------------
 */

#define STATE_BITS UINT64_C(0xffffffffffff)

static uint64_t
    states[MZ_MAX_THREADS + 1]; /* on the trail (by twos); a thread keeps its number in an execution */

static void set_state(uint64_t state)
{
    mz__made_progress();
    MZ__SAVE(states[mz__me()]);
    states[mz__me()] = state & STATE_BITS;
}

static uint64_t next_state(uint64_t state)
{
    return (state * UINT64_C(0x5deece66d) + 0xb) & STATE_BITS;
}

static uint64_t draw(void)
{
    set_state(next_state(states[mz__me()]));
    return states[mz__me()];
}

/* The same, but the caller keeps the state. */
static uint64_t draw_from(unsigned short words[3])
{
    mz__plain_access((uintptr_t)words, 3 * sizeof *words, false);
    uint64_t state = next_state((uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0]);
    unsigned short next[3] = {(unsigned short)state, (unsigned short)(state >> 16),
                              (unsigned short)(state >> 32)};
    mz__write_memory(words, next, sizeof next);
    return state;
}

static double as_fraction(uint64_t state)
{
    return (double)state / (double)(STATE_BITS + 1);
}

MZ__HOOK(void, __wrap_srand48, long seed)
{
    set_state((uint64_t)(uint32_t)seed << 16 | 0x330e);
}

MZ__HOOK(double, __wrap_drand48, void)
{
    return as_fraction(draw());
}

MZ__HOOK(double, __wrap_erand48, unsigned short words[3])
{
    return as_fraction(draw_from(words));
}

MZ__HOOK(long, __wrap_lrand48, void)
{
    return (long)(draw() >> 17);
}

MZ__HOOK(long, __wrap_nrand48, unsigned short words[3])
{
    return (long)(draw_from(words) >> 17);
}

MZ__HOOK(long, __wrap_mrand48, void)
{
    return (int32_t)(uint32_t)(draw() >> 16);
}

MZ__HOOK(long, __wrap_jrand48, unsigned short words[3])
{
    return (int32_t)(uint32_t)(draw_from(words) >> 16);
}
