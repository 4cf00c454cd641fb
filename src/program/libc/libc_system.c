/* What a program asks the system about its surroundings, the same everywhere; waiting without waiting for
 * anything; rounding, which is a thread's own. */
#include <errno.h>
#include <fenv.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/utsname.h>

#include "program/describe/failures.h"
#include "program/libc/libc.h"
#include "program/memory/heap.h"
#include "program/order/initialised.h"
#include "program/order/memory_errors.h"
#include "program/pthread/endings.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/world/clock.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/world.h"

MZ__HOOK(int, __wrap_uname, struct utsname *to)
{
    struct utsname what = {
        .sysname = "Linux",
        .nodename = MZ__HOST,
        .release = MZ__RELEASE,
        .version = MZ__VERSION,
        .machine = MZ__MACHINE,
    };
    mz__ask_about(MZ_PREMISE_HOST, "system", 0);
    mz__ask(MZ_PREMISE_HOST);
    mz__write_memory(to, &what, sizeof what);
    return 0;
}

/* ---- pages: memory of the program's own, as from calloc(), and nothing else -----------------------------
 */

enum { PAGE = 4096 };

static size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

MZ__HOOK(void *, __wrap_mmap, void *where, size_t bytes, int protection, int flags, int descriptor,
         int64_t offset)
{
    (void)where, (void)descriptor, (void)offset;
    if (bytes == 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (!(flags & MAP_ANONYMOUS) || flags & MAP_FIXED || protection != (PROT_READ | PROT_WRITE))
        mz__give_up(mz__caller.pc,
                    "the program maps a file, memory at a fixed place, or such that it may not "
                    "read and write, which cannot be followed");
    void *block = mz__allocate(whole_pages(bytes), PAGE);
    if (!block)
        return MAP_FAILED;
    mz__heap_set_zeroed(block);
    mz__has_written((uintptr_t)block, whole_pages(bytes));
    return block;
}

MZ__HOOK(void *, __wrap_mmap64, void *where, size_t bytes, int protection, int flags, int descriptor,
         int64_t offset)
{
    return mz__hook___wrap_mmap(where, bytes, protection, flags, descriptor, offset);
}

MZ__HOOK(int, __wrap_munmap, void *block, size_t bytes)
{
    if ((uintptr_t)block % PAGE || bytes == 0) {
        errno = EINVAL;
        return -1;
    }
    mz__check_memory(block, bytes, true, mz__caller.pc);
    if (mz__heap_size(block) != whole_pages(bytes))
        mz__give_up(mz__caller.pc, "the program unmaps a part of what it has mapped");
    mz__made_progress();
    mz__heap_free(block, mz__caller.pc);
    return 0;
}

/* Hints, as far as pages of the program's own are concerned: those that change nothing. */
MZ__HOOK(int, __wrap_madvise, void *block, size_t bytes, int advice)
{
    (void)block, (void)bytes;
    if (advice != MADV_NORMAL && advice != MADV_RANDOM && advice != MADV_SEQUENTIAL &&
        advice != MADV_WILLNEED && advice != MADV_HUGEPAGE && advice != MADV_NOHUGEPAGE)
        mz__give_up(mz__caller.pc, "the program gives advice %d about memory, which cannot be followed",
                    advice);
    return 0;
}

/* ---- sleeping by other names: cancellation points, too ---------------------------------------------------
 */

MZ__HOOK(int, __wrap_poll, struct pollfd *descriptors, nfds_t count, int milliseconds)
{
    (void)descriptors;
    mz__test_cancel("poll", true);
    if (count > 0)
        mz__give_up(mz__caller.pc, "the program waits for descriptors with poll(), which cannot be followed");
    if (milliseconds < 0)
        mz__give_up(mz__caller.pc, "the program waits for nothing but a signal with poll()");
    mz__clock_advance(UINT64_C(1000000) * (unsigned)milliseconds);
    return 0;
}

/* No descriptors to wait for, and a time: nothing else can be followed. */
static void check_select(const fd_set *reads, const fd_set *writes, const fd_set *fails, const void *time)
{
    mz__test_cancel("select", true);
    if (reads || writes || fails)
        mz__give_up(mz__caller.pc,
                    "the program waits for descriptors with select(), which cannot be followed");
    if (!time)
        mz__give_up(mz__caller.pc, "the program waits for nothing but a signal with select()");
}

/* What is left of the time is written back. */
MZ__HOOK(int, __wrap_select, int count, fd_set *reads, fd_set *writes, fd_set *fails, struct timeval *time)
{
    static const struct timeval nothing;
    (void)count;
    check_select(reads, writes, fails, time);
    mz__plain_access((uintptr_t)time, sizeof *time, false);
    if (time->tv_sec < 0 || time->tv_usec < 0) {
        errno = EINVAL;
        return -1;
    }
    mz__clock_advance(mz__as_nanoseconds(time->tv_sec, 1000 * time->tv_usec));
    mz__write_memory(time, &nothing, sizeof nothing);
    return 0;
}

MZ__HOOK(int, __wrap_pselect, int count, fd_set *reads, fd_set *writes, fd_set *fails,
         const struct timespec *time)
{
    (void)count;
    check_select(reads, writes, fails, time);
    mz__plain_access((uintptr_t)time, sizeof *time, false);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= MZ__SECOND) {
        errno = EINVAL;
        return -1;
    }
    mz__clock_advance(mz__as_nanoseconds(time->tv_sec, time->tv_nsec));
    return 0;
}

/* ---- rounding ---------------------------------------------------------------------------------------------
 *
 * The processor's own registers: once a program sets them, they are changed with the thread (step.h). */

/* Before instructions that set or look at them (unhooked.c). */
MZ__HOOK(void, __tsan_control, void)
{
    mz__w.control_used = true; /* until then it is as usual everywhere, but for exceptions that came */
    mz__made_progress();
}

MZ__HOOK(int, __wrap_fesetround, int mode)
{
    if (fesetround(mode) != 0)
        return 1;
    mz__w.control_used = true;
    mz__made_progress();
    return 0;
}

/* ---- randomness: the same sequence as for getrandom ------------------------------------------------------
 */

ssize_t mz__hook___wrap_getrandom(unsigned char *to, size_t bytes, unsigned flags);

MZ__HOOK(int, __wrap_getentropy, void *to, size_t bytes)
{
    enum { MOST = 256 };
    if (bytes > MOST) {
        errno = EIO;
        return -1;
    }
    mz__hook___wrap_getrandom(to, bytes, 0);
    return 0;
}

MZ__HOOK(uint32_t, __wrap_arc4random, void)
{
    uint32_t number;
    mz__random_bytes(&number, sizeof number);
    return number;
}

MZ__HOOK(void, __wrap_arc4random_buf, void *to, size_t bytes)
{
    mz__hook___wrap_getrandom(to, bytes, 0);
}

MZ__HOOK(uint32_t, __wrap_arc4random_uniform, uint32_t bound)
{
    uint32_t number;
    mz__random_bytes(&number, sizeof number);
    return bound ? number % bound : 0;
}
