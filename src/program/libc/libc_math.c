/* Functions of mathematics that return a second result in memory. The others are harmless. */
#include <math.h>

#include "program/libc/libc.h"

#define SPLIT(name, number, part, split)                                                                     \
    MZ__HOOK(number, __wrap_##name, number value, part *second)                                              \
    {                                                                                                        \
        part other;                                                                                          \
        number first = split(value, &other);                                                                 \
        mz__write_memory(second, &other, sizeof other);                                                      \
        return first;                                                                                        \
    }

SPLIT(modf, double, double, modf)
SPLIT(modff, float, float, modff)
SPLIT(frexp, double, int, frexp)
SPLIT(frexpf, float, int, frexpf)

#define SINE_AND_COSINE(name, number, sine_of, cosine_of)                                                    \
    MZ__HOOK(void, __wrap_##name, number angle, number *sine, number *cosine)                                \
    {                                                                                                        \
        number s = sine_of(angle), c = cosine_of(angle);                                                     \
        mz__write_memory(sine, &s, sizeof s);                                                                \
        mz__write_memory(cosine, &c, sizeof c);                                                              \
    }

SINE_AND_COSINE(sincos, double, sin, cos)
SINE_AND_COSINE(sincosf, float, sinf, cosf)
