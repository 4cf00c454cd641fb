/* Calls of hooks before plain accesses that need not count (wire/site.h) are taken out of the program's code
 * when it starts: all of them if the plan counts none, or those of lines that do not race. Nothing else runs
 * yet. */
#include "safe/runtime/follow/runtime_plan.h"
#include "wire/site.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
extern const mz_site __start_mz_sites[] __attribute__((weak, visibility("hidden")));
extern const mz_site __stop_mz_sites[] __attribute__((weak, visibility("hidden")));

/* In order. */
static bool races(const uint32_t *lines, uint32_t count, uint32_t key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (lines[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && lines[low] == key;
}

static bool is_kept(const mz_site *site)
{
    if (!mz__counts_accesses)
        return false;
    return !mz__symbolic->lines ||
           races(mz__in_symbolic(mz__symbolic->lines), mz__symbolic->line_count, site->key);
}

static bool protect(uintptr_t begin, uintptr_t end, int how)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    begin &= ~(page - 1);
    return syscall(SYS_mprotect, begin, end - begin, how) == 0; /* the function may be the program's */
}

/* One instruction that does nothing. */
static void take_out(uintptr_t call)
{
    static const uint8_t nothing[MZ_SITE_BYTES] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
    memcpy((void *)call, nothing, sizeof nothing);
}

void mz__take_out_hooks(void)
{
    enum { CALL = 0xe8 };
    uintptr_t begin = UINTPTR_MAX, end = 0;
    bool are_calls = true;
    for (const mz_site *s = __start_mz_sites; s < __stop_mz_sites; s++) {
        uintptr_t call = mz_site_address(s);
        if (is_kept(s))
            continue;
        are_calls = are_calls && *(const uint8_t *)call == CALL;
        begin = call < begin ? call : begin;
        end = call + MZ_SITE_BYTES > end ? call + MZ_SITE_BYTES : end;
    }
    if (end == 0 || (!are_calls && !mz__counts_accesses))
        return;
    if (!are_calls || !protect(begin, end, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        if (mz__counts_accesses)
            mz__refuse_under_plan(
                "the system does not let it take out the counting of accesses that do not race");
        return;
    }
    for (const mz_site *s = __start_mz_sites; s < __stop_mz_sites; s++)
        if (!is_kept(s))
            take_out(mz_site_address(s));
    protect(begin, end, PROT_READ | PROT_EXEC);
}
#else
void mz__take_out_hooks(void)
{
}
#endif
