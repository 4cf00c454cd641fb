/* System calls that a program makes by their numbers, above all futex: waiting for a word of memory.
 *
 * Who waits for a word is a location of its own, beside the word: waking changes it, and waiting changes it
 * if the word has the expected value, which it reads; otherwise it only reads. The two are one event, as they
 * are in the kernel. Then the thread has no operation until it is woken: that comes after the waking, its
 * cause. Which of several threads is woken is a choice. Waiting and waking order nothing for the program:
 * that is what its atomic operations are for.
 *
 * With a time limit there is a second event, which ends the waiting: the thread was woken, or its time is up
 * (timed.c). A loop of such rounds goes on only after the word has changed, or somebody was woken since. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "program/describe/failures.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/order/memory_errors.h"
#include "program/pthread/timed.h"
#include "program/runtime/accesses.h"
#include "program/runtime/choices.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/causes.h"
#include "program/world/clock.h"
#include "program/world/named_locations.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* How often those who wait for such words were woken: for loops with a time limit. On the trail. */
static _Alignas(16) uint64_t wakes[MZ_MAX_THREADS + 1];

static uint32_t number_of_queue(uintptr_t word)
{
    return (uint32_t)(mz_mix64(word) % MZ_MAX_THREADS);
}

static mz_access queue_of(uintptr_t word)
{
    uint32_t cell;
    mz__cells_of(MZ__STACK_BASE(number_of_queue(word)) + MZ__QUEUE_NAME, 1, true, &cell);
    return (mz_access){cell, MZ_READ | MZ_WRITE};
}

static void check_word(uintptr_t word)
{
    if (mz__w.current->section)
        mz__give_up(mz__caller.pc, "a futex is used in an atomic section");
    mz__check_memory((const void *)word, sizeof(uint32_t), false, mz__caller.pc);
    mz__is_own_only(word);
}

/* The word has the value: nothing else happens in between. */
static bool begin_comparing(uintptr_t word, uint32_t value, uintptr_t other_word)
{
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_UPDATE, "futex");
    mz__prepare_data(p, word, sizeof(uint32_t), MZ_READ);
    p->condition = MZ__EQUAL;
    p->expected[0] = value;
    p->accesses[p->access_count++] = queue_of(word);
    if (other_word)
        p->accesses[p->access_count++] = queue_of(other_word);
    mz__announce(p, true);
    mz__operation_access(word, sizeof(uint32_t), false);
    mz__note_read(word, sizeof(uint32_t));
    if (*(const uint32_t *)word == value)
        return true;
    mz__executed_as(MZ_OP_READ, false);
    errno = EAGAIN;
    return false;
}

/* ---- waiting ----------------------------------------------------------------------------------------------
 */

static long wait_with_limit(uintptr_t word, const struct timespec *limit, bool until)
{
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_UPDATE, "futex");
    p->address = word;
    p->accesses[p->access_count++] = queue_of(word);
    p->own_count = 1;
    p->condition = MZ__UNSIGNALLED;
    mz__announce(p, true);
    bool woken = !mz__w.current->cold.waits_for;
    mz__note_read((uintptr_t)&wakes[number_of_queue(word)], sizeof *wakes);
    if (woken) {
        mz__executed_as(MZ_OP_READ, false);
        return 0;
    }
    mz__cold_of(mz__w.current)->waits_for = 0;
    if (until)
        mz__clock_pass(limit);
    else
        mz__clock_advance(mz__as_nanoseconds(limit->tv_sec, limit->tv_nsec));
    errno = ETIMEDOUT;
    return -1;
}

static long wait_for_word(uintptr_t word, uint32_t value, const struct timespec *limit, uint32_t bits,
                          bool until)
{
    const mz__registers caller = mz__caller;
    if (bits == 0 || (limit && mz__time_is_up(limit) == EINVAL)) {
        errno = EINVAL;
        return -1;
    }
    if (!begin_comparing(word, value, 0))
        return -1;
    mz__cold *cold = mz__cold_of(mz__w.current);
    cold->waits_for = word;
    cold->woken_by = bits;
    mz__caller = caller;
    if (limit)
        return wait_with_limit(word, limit, until);
    mz__made_progress();
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_AWAIT, "futex");
    p->address = word;
    p->size = sizeof(uint32_t);
    mz__wait();
    return 0;
}

/* ---- waking -----------------------------------------------------------------------------------------------
 */

static void wake_thread(uint32_t number)
{
    mz__thread *t = &mz__w.threads[number];
    mz__change_thread(t);
    mz__cold_of(t)->waits_for = 0;
    if (t->pending.guard != MZ__WOKEN)
        return; /* it has a time limit, and looks by itself */
    mz__inherit_causes(t, mz__w.current);
    mz__wake(number);
}

static uint32_t find_waiting(uintptr_t word, uint32_t bits, uint32_t *who)
{
    uint32_t count = mz__waiting_for(word, who), left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (mz__w.threads[who[i]].cold.woken_by & bits)
            who[left++] = who[i];
    return left;
}

/* Up to so many of those; the others are left in the list. */
static uint32_t wake_some(uint32_t *who, uint32_t *count, uint32_t most)
{
    uint32_t woken = 0;
    while (woken<most && * count> 0) {
        uint32_t which = most - woken >= *count ? 0 : (uint32_t)mz__choose(0, *count - 1);
        wake_thread(who[which]);
        for (--*count; which < *count; which++)
            who[which] = who[which + 1];
        woken++;
    }
    return woken;
}

static void count_wake(uintptr_t word)
{
    uint32_t queue = number_of_queue(word);
    mz__save(&wakes[queue & ~1u], 16);
    wakes[queue]++;
    mz__made_progress();
}

static long wake(uintptr_t word, uint32_t most, uint32_t bits)
{
    uint32_t who[MZ_MAX_THREADS];
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_UPDATE, "futex");
    p->address = word;
    p->accesses[p->access_count++] = queue_of(word);
    p->own_count = 1;
    mz__announce(p, false);
    count_wake(word);
    uint32_t count = find_waiting(word, bits, who);
    return wake_some(who, &count, most);
}

/* Some are woken, some others wait for another word from now on. */
static long requeue(uintptr_t word, uint32_t most, uintptr_t other, uint32_t most_moved, bool counts_moved)
{
    uint32_t who[MZ_MAX_THREADS];
    count_wake(word);
    uint32_t count = find_waiting(word, FUTEX_BITSET_MATCH_ANY, who);
    uint32_t woken = wake_some(who, &count, most), moved = 0;
    while (moved < most_moved && moved < count) {
        mz__thread *t = &mz__w.threads[who[moved++]];
        if (t->pending.guard != MZ__WOKEN)
            mz__give_up(mz__caller.pc, "a thread that waits for a futex with a time limit is requeued");
        mz__change_thread(t);
        mz__cold_of(t)->waits_for = other;
        t->pending.address = other;
    }
    return woken + (counts_moved ? moved : 0);
}

static long begin_requeue(uintptr_t word, uint32_t most, uintptr_t other, uint32_t most_moved)
{
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_UPDATE, "futex");
    p->address = word;
    p->accesses[p->access_count++] = queue_of(word);
    p->accesses[p->access_count++] = queue_of(other);
    p->own_count = 1;
    mz__announce(p, false);
    return requeue(word, most, other, most_moved, false);
}

static long futex(const long *a)
{
    uintptr_t word = (uintptr_t)a[0], other = (uintptr_t)a[4];
    int operation = (int)a[1] & FUTEX_CMD_MASK;
    uint32_t value = (uint32_t)a[2], bits = (uint32_t)a[5];
    const struct timespec *limit = (const struct timespec *)(uintptr_t)a[3];
    check_word(word);
    switch (operation) {
    case FUTEX_WAIT:
        return wait_for_word(word, value, limit, FUTEX_BITSET_MATCH_ANY, false);
    case FUTEX_WAIT_BITSET:
        return wait_for_word(word, value, limit, bits, true);
    case FUTEX_WAKE:
        return wake(word, value, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
        return wake(word, value, bits);
    case FUTEX_REQUEUE:
        return begin_requeue(word, value, other, (uint32_t)a[3]);
    case FUTEX_CMP_REQUEUE:
        if (!begin_comparing(word, bits, other))
            return -1;
        return requeue(word, value, other, (uint32_t)a[3], true);
    default:
        mz__give_up(mz__caller.pc, "the program uses operation %d of futex, which cannot be followed",
                    operation);
        return -1;
    }
}

/* ---- system calls -----------------------------------------------------------------------------------------
 */

int mz__hook___wrap_gettid(void);
int mz__hook___wrap_getpid(void);
ssize_t mz__hook___wrap_getrandom(unsigned char *to, size_t bytes, unsigned flags);
/* The sixth argument of a call is on the stack of the caller, if there are only six registers for all of
 * them. Not every caller has put one there: it is looked at only for what has one. */
#if defined __x86_64__
#define SIXTH
#define SIXTH_VALUE (*(const long *)mz__caller.sp)
#else
#define SIXTH       , long sixth
#define SIXTH_VALUE sixth
#endif

static bool has_sixth(int operation)
{
    operation &= FUTEX_CMD_MASK;
    return operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET || operation == FUTEX_CMP_REQUEUE;
}

MZ__HOOK(long, __wrap_syscall, long number, long a, long b, long c, long d, long e SIXTH)
{
    switch (number) {
    case SYS_futex:
        return futex((const long[]){a, b, c, d, e, has_sixth((int)b) ? SIXTH_VALUE : 0});
    case SYS_gettid:
        return mz__hook___wrap_gettid();
    case SYS_getpid:
        return mz__hook___wrap_getpid();
    case SYS_getrandom:
        return mz__hook___wrap_getrandom((unsigned char *)(uintptr_t)a, (size_t)b, (unsigned)c);
    case SYS_sched_yield:
    case SYS_membarrier: /* executions are sequentially consistent */
        return 0;
    default:
        mz__give_up(mz__caller.pc, "the program makes system call %ld, which cannot be followed", number);
        errno = ENOSYS;
        return -1;
    }
}
