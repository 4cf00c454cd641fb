/* Generators whose state is in a buffer of the caller: the C library's own functions, which touch nothing but
 * that and where the result goes. */
#include <stdlib.h>

#include "program/libc/libc.h"

/* It is read and written: a generator changes with every number. */
static void touch(const void *memory, size_t bytes)
{
    mz__made_progress();
    mz__plain_access((uintptr_t)memory, bytes, false);
    mz__plain_access((uintptr_t)memory, bytes, true);
}

/* A buffer and the result. */
#define DRAW(name, result_type)                                                                              \
    MZ__HOOK(int, __wrap_##name, struct drand48_data *buffer, result_type *result)                           \
    {                                                                                                        \
        touch(buffer, sizeof *buffer);                                                                       \
        mz__plain_access((uintptr_t)result, sizeof *result, true);                                           \
        return name(buffer, result);                                                                         \
    }
/* The three words of the caller count, not those of the buffer. */
#define DRAW_FROM(name, result_type)                                                                         \
    MZ__HOOK(int, __wrap_##name, unsigned short words[3], struct drand48_data *buffer, result_type *result)  \
    {                                                                                                        \
        touch(words, 3 * sizeof *words);                                                                     \
        touch(buffer, sizeof *buffer);                                                                       \
        mz__plain_access((uintptr_t)result, sizeof *result, true);                                           \
        return name(words, buffer, result);                                                                  \
    }
#define SEED(name, seed_type)                                                                                \
    MZ__HOOK(int, __wrap_##name, seed_type seed, struct drand48_data *buffer)                                \
    {                                                                                                        \
        mz__plain_access((uintptr_t)buffer, sizeof *buffer, true);                                           \
        return name(seed, buffer);                                                                           \
    }

DRAW(drand48_r, double)
DRAW(lrand48_r, long)
DRAW(mrand48_r, long)
DRAW_FROM(erand48_r, double)
DRAW_FROM(nrand48_r, long)
DRAW_FROM(jrand48_r, long)
SEED(srand48_r, long)

/* The words of a generator lie where the caller has said, its kind before them. */
static void touch_words(const struct random_data *buffer)
{
    touch(buffer, sizeof *buffer);
    if (buffer->state)
        touch(buffer->state - 1, (size_t)(buffer->rand_deg > 0 ? buffer->rand_deg + 1 : 2) * sizeof(int32_t));
}

MZ__HOOK(int, __wrap_random_r, struct random_data *buffer, int32_t *result)
{
    touch_words(buffer);
    mz__plain_access((uintptr_t)result, sizeof *result, true);
    return random_r(buffer, result);
}

MZ__HOOK(int, __wrap_srandom_r, unsigned seed, struct random_data *buffer)
{
    touch_words(buffer);
    return srandom_r(seed, buffer);
}

MZ__HOOK(int, __wrap_initstate_r, unsigned seed, char *words, size_t bytes, struct random_data *buffer)
{
    touch_words(buffer);
    mz__plain_access((uintptr_t)words, bytes, true);
    return initstate_r(seed, words, bytes, buffer);
}

MZ__HOOK(int, __wrap_setstate_r, char *words, struct random_data *buffer)
{
    touch_words(buffer);
    touch(words, sizeof(int32_t));
    return setstate_r(words, buffer);
}
