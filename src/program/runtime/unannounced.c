/* Hooks before plain accesses that the compiler announces to nobody, which compile_announce.c has put there:
 * to local variables whose address is known elsewhere, to parts of vectors, and of instructions that look for
 * something. They are not counted (wire/plan_format.h): who runs the program need not know how many there
 * are. */
#include "program/order/initialised.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/world/clock.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/world.h"
#include "wire/written.h"

MZ__HOOK(void, __tsan_frame_read, uintptr_t address, size_t size)
{
    mz__plain_access(address, size, false);
}

MZ__HOOK(void, __tsan_frame_write, uintptr_t address, size_t size)
{
    mz__plain_access(address, size, true);
}

bool __tsan_exact; /* the order of plain accesses matters: those that race are events */

/* What is written later than the compiler tells (unhooked.c). */
MZ__HOOK(void, __tsan_early_write, uintptr_t address, size_t size)
{
    if (!__tsan_exact)
        mz__compiled_access(address, size, true);
}

/* One instruction that reads and writes, but not at once for others: when it is to write, it has read what
 * was there before. So that is put there again, and the instruction makes of it what it writes. */
static void update(uintptr_t address, size_t size, void (*access)(uintptr_t, size_t, bool))
{
    char before[16];
    access(address, size, false);
    bool keeps = __tsan_exact && size <= sizeof before && mz__is_there(address, size, true);
    if (keeps)
        memcpy(before, (const void *)address, size);
    access(address, size, true);
    if (keeps)
        memcpy((void *)address, before, size);
}

MZ__HOOK(void, __tsan_update_range, uintptr_t address, size_t size)
{
    update(address, size, mz__compiled_access);
}

MZ__HOOK(void, __tsan_frame_update, uintptr_t address, size_t size)
{
    update(address, size, mz__plain_access);
}

/* As movs has it: forwards, also if what is written is to be read again. */
static void copy_forwards(char *to, const char *from, size_t bytes, size_t step)
{
    for (size_t done = 0; done < bytes; done += step) {
        char buffer[8];
        if (__tsan_exact) {
            mz__made_progress(); /* the next one, not the same once more */
            mz__plain_access((uintptr_t)from + done, step, false);
        }
        memcpy(buffer, from + done, step);
        if (__tsan_exact)
            mz__plain_access((uintptr_t)to + done, step, true);
        memcpy(to + done, buffer, step);
    }
}

/* Instead of movs. what: bytes of an element | is it told already, unless the order matters << 8. */
MZ__HOOK(void, __tsan_copied, char *to, const char *from, size_t bytes, uint32_t what)
{
    bool told = what >> 8 & 1, overlap = (uintptr_t)to - (uintptr_t)from < bytes;
    if (__tsan_exact && !overlap) {
        mz__copy_memory(to, from, bytes);
        return;
    }
    if (!__tsan_exact && !told) {
        mz__plain_access((uintptr_t)from, bytes, false);
        mz__plain_access((uintptr_t)to, bytes, true);
    }
    copy_forwards(to, from, bytes, what & 0xff);
    mz__has_copied(to, from, bytes);
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
