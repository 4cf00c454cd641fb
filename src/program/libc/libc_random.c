/* Random numbers. rand() and random() draw from one generator, drand48() and its kin from another; each is
 * one object of the process, which the C library protects by a lock: a call is an operation on it, and which
 * of two threads draws first is explored. The numbers are those of glibc, so that a program finds the same
 * ones when it is run. That one thread has drawn before another orders nothing else: no standard says so, and
 * without a lock of their own the two race for the rest.
 *
 * What comes from the system (getrandom) is another fixed sequence for each thread. */
#include <stdlib.h>
#include <sys/random.h>

#include "base/hash.h"
#include "program/libc/libc.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/world.h"

void mz__random_create(void)
{
    struct mz__generator *g = &mz__libc->random;
    initstate_r(1, (char *)g->words, sizeof g->words, &g->data);
}

/* When this returns, it is ours up to the next event, and may be changed. */
static void take_generator(struct mz__generator *g, const char *verb)
{
    mz__thread *t = mz__w.current;
    uintptr_t address = (uintptr_t)&g->drawn;
    mz__is_own_only(address);
    if (t->section) {
        mz__section_access(address, sizeof g->drawn, MZ_READ | MZ_WRITE);
    } else if (mz__w.state.thread_count > 1) {
        mz__pending *p = mz__prepare(t, MZ_OP_UPDATE, verb);
        mz__prepare_data(p, address, sizeof g->drawn, MZ_READ | MZ_WRITE);
        mz__announce(p, false);
    }
    mz__made_progress();
    mz__before_write((uintptr_t)g, sizeof *g);
    g->drawn++;
}

static int random_number(const char *verb)
{
    int32_t value;
    take_generator(&mz__libc->random, verb);
    random_r(&mz__libc->random.data, &value);
    return value;
}

MZ__HOOK(int, __wrap_rand, void)
{
    return random_number("rand");
}

MZ__HOOK(long, __wrap_random, void)
{
    return random_number("random");
}

static void seed_random(unsigned seed, const char *verb)
{
    take_generator(&mz__libc->random, verb);
    srandom_r(seed, &mz__libc->random.data);
}

MZ__HOOK(void, __wrap_srand, unsigned seed)
{
    seed_random(seed, "srand");
}

MZ__HOOK(void, __wrap_srandom, unsigned seed)
{
    seed_random(seed, "srandom");
}

MZ__HOOK(int, __wrap_rand_r, unsigned *seed)
{
    mz__plain_access((uintptr_t)seed, sizeof *seed, false);
    unsigned next = *seed;
    int value = rand_r(&next);
    mz__write_memory(seed, &next, sizeof next);
    return value;
}

static unsigned char system_byte(void)
{
    mz__ask(MZ_PREMISE_RANDOM);
    uint64_t *state = &mz__cold_of(mz__w.current)->random_state;
    mz__made_progress();
    *state = mz_mix64(*state + mz__me() + 1);
    return (unsigned char)*state;
}

MZ__HOOK(ssize_t, __wrap_getrandom, unsigned char *to, size_t bytes, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < bytes; i++)
        mz__write_memory(to + i, &(unsigned char){system_byte()}, 1);
    return (ssize_t)bytes;
}

void mz__random_bytes(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = system_byte();
}

/* ---- the 48-bit generator, as the standard defines it -----------------------------------------------------
 */

#define STATE_BITS UINT64_C(0xffffffffffff)

static uint64_t next_state(uint64_t state)
{
    return (state * UINT64_C(0x5deece66d) + 0xb) & STATE_BITS;
}

static uint64_t draw(const char *verb)
{
    struct mz__generator *g = &mz__libc->drand48;
    take_generator(g, verb);
    return g->state = next_state(g->state);
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
    struct mz__generator *g = &mz__libc->drand48;
    take_generator(g, "srand48");
    g->state = (uint64_t)(uint32_t)seed << 16 | 0x330e;
}

MZ__HOOK(double, __wrap_drand48, void)
{
    return as_fraction(draw("drand48"));
}

MZ__HOOK(double, __wrap_erand48, unsigned short words[3])
{
    return as_fraction(draw_from(words));
}

MZ__HOOK(long, __wrap_lrand48, void)
{
    return (long)(draw("lrand48") >> 17);
}

MZ__HOOK(long, __wrap_nrand48, unsigned short words[3])
{
    return (long)(draw_from(words) >> 17);
}

MZ__HOOK(long, __wrap_mrand48, void)
{
    return (int32_t)(uint32_t)(draw("mrand48") >> 16);
}

MZ__HOOK(long, __wrap_jrand48, unsigned short words[3])
{
    return (int32_t)(uint32_t)(draw_from(words) >> 16);
}
