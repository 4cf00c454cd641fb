/* Hooks before plain accesses that the compiler announces to nobody, which compile_announce.c has put there:
 * to local variables whose address is known elsewhere, to parts of vectors, and of instructions that look for
 * something. They are not counted (wire/plan_format.h): who runs the program need not know how many there are. */
#include "program/libc/libc.h"
#include "program/runtime/schedule.h"
#include "program/build/written.h"

bool __tsan_shared_frames; /* some thread has touched the stack of another */

MZ__HOOK(void, __tsan_frame_read, uintptr_t address, size_t size)
{
    mz__plain_access(address, size, false);
}

MZ__HOOK(void, __tsan_frame_write, uintptr_t address, size_t size)
{
    mz__plain_access(address, size, true);
}

/* Elements side by side are one access. */
MZ__HOOK(void, __tsan_lanes, uintptr_t address, uint32_t what, uint64_t mask)
{
    size_t size = what & 0xff;
    while (mask) {
        unsigned first = (unsigned)__builtin_ctzll(mask), count = 0;
        for (; first + count < 64 && (mask >> (first + count) & 1); count++)
            ;
        mz__plain_access(address + first * size, count * size, what >> 8 & 1);
        mask = first + count < 64 ? mask >> (first + count) << (first + count) : 0;
    }
}

MZ__HOOK(void, __tsan_gathered, uintptr_t base, uint32_t what, const void *places, uint64_t mask)
{
    size_t size = what & 0xff, place_size = what >> 8 & 0xff, lanes = what >> 24;
    int64_t scale = what >> 16 & 0xff;
    for (size_t i = 0; i < lanes; i++) {
        int64_t place = place_size == 8 ? ((const int64_t *)places)[i] : ((const int32_t *)places)[i];
        if (mask >> i & 1)
            mz__plain_access(base + (uintptr_t)(place * scale), size, false);
    }
}

/* repe cmps, repne scas and the like: as far as they will come. */
MZ__HOOK(void, __tsan_strings, uintptr_t first, uintptr_t second, size_t count, uint32_t what,
         uint64_t sought)
{
    size_t size = what & 0xff;
    bool until_equal = what >> 8 & MZ__REPEAT_UNTIL_EQUAL, scans = what >> 8 & MZ__REPEAT_SCAN;
    for (size_t i = 0; i < count; i++, first += size, second += size) {
        mz__plain_access(first, size, false);
        if (!scans)
            mz__plain_access(second, size, false);
        bool equal =
            memcmp((const void *)first, scans ? (const void *)&sought : (const void *)second, size) == 0;
        if (equal == until_equal)
            return;
    }
}

/* Instead of the processor's: time is virtual. */
MZ__HOOK(uint64_t, __tsan_clock, void)
{
    return mz__clock_now();
}
