/* What a program under test can say to the checker: mazurka.h and the names of the verification competition.
 */
#include "native/schedule.h"

static void assume(bool holds)
{
    mz__thread *t = mz__w.current;
    if (holds || !t)
        return;
    if (t->section_frames > 0 && t->section > 0 && !mz__section_has_chosen())
        mz__section_blocks(); /* the function waits until it can go through */
    mz__prune();
}

MZ__HOOK(void, mz_assume, int holds)
{
    assume(holds);
}

MZ__HOOK(void, __VERIFIER_assume, int holds)
{
    assume(holds);
}

MZ__HOOK(void, assume_abort_if_not, int holds)
{
    assume(holds);
}

MZ__HOOK(void, mz_assert_failed, const char *expression, const char *file, int line)
{
    (void)file;
    (void)line;
    mz__assertion(mz__caller.pc, "assertion failed: %s", expression);
}

MZ__HOOK(void, __VERIFIER_assert, int holds)
{
    if (!holds)
        mz__assertion(mz__caller.pc, "__VERIFIER_assert does not hold");
}

MZ__HOOK(void, reach_error, void)
{
    mz__assertion(mz__caller.pc, "reach_error() is reached");
}

MZ__HOOK(void, __VERIFIER_error, void)
{
    mz__assertion(mz__caller.pc, "__VERIFIER_error() is reached");
}

MZ__HOOK(void, abort_prog, void)
{
    mz__assertion(mz__caller.pc, "abort_prog() is called");
}

MZ__HOOK(void, mz_atomic_begin, void)
{
    mz__section_begin();
}

MZ__HOOK(void, mz_atomic_end, void)
{
    mz__section_end();
}

MZ__HOOK(void, __VERIFIER_atomic_begin, void)
{
    mz__section_begin();
}

MZ__HOOK(void, __VERIFIER_atomic_end, void)
{
    mz__section_end();
}

MZ__HOOK(void, mz_yield, void)
{
}

MZ__HOOK(int, mz_choose, int low, int high)
{
    if (low > high)
        mz__fail(MZ_FAIL_CHOICE, mz__caller.pc, "mz_choose(%d, %d): there is nothing to choose from", low,
                 high);
    return (int)mz__choose(low, high);
}

/* A number of which nothing is said: all values of a type are too many, so a range stands for them, and the
 * verdict says so. */
static int64_t any_number(bool has_negative)
{
    mz__w.nondet_bounded = true;
    int64_t low = mz__w.nondet_low;
    return mz__choose(!has_negative && low < 0 ? 0 : low, mz__w.nondet_high);
}

#define NONDET(T, name, has_negative)                                                                        \
    MZ__HOOK(T, __VERIFIER_nondet_##name, void)                                                              \
    {                                                                                                        \
        return (T)any_number(has_negative);                                                                  \
    }

#define NONDET_BOOL(name)                                                                                    \
    MZ__HOOK(_Bool, __VERIFIER_nondet_##name, void)                                                          \
    {                                                                                                        \
        return mz__choose(0, 1) != 0;                                                                        \
    }

NONDET_BOOL(bool)
NONDET_BOOL(_Bool)
NONDET(int, int, true)
NONDET(unsigned, uint, false)
NONDET(unsigned, unsigned, false)
NONDET(unsigned, unsigned_int, false)
NONDET(char, char, true)
NONDET(signed char, schar, true)
NONDET(unsigned char, uchar, false)
NONDET(unsigned char, unsigned_char, false)
NONDET(short, short, true)
NONDET(unsigned short, ushort, false)
NONDET(long, long, true)
NONDET(unsigned long, ulong, false)
NONDET(long long, longlong, true)
NONDET(unsigned long long, ulonglong, false)
NONDET(float, float, true)
NONDET(double, double, true)
NONDET(long long, loff_t, true)
NONDET(size_t, size_t, false)
NONDET(uint8_t, u8, false)
NONDET(uint16_t, u16, false)
NONDET(uint32_t, u32, false)
NONDET(uint64_t, u64, false)
NONDET(int8_t, s8, true)
NONDET(int16_t, s16, true)
NONDET(int32_t, s32, true)
NONDET(int64_t, s64, true)

MZ__HOOK(void *, __VERIFIER_nondet_pointer, void)
{
    mz__w.nondet_bounded = true;
    return NULL;
}
