/* Sleeping and waking, without a fence or a lock where nobody sleeps. */
#include "safe/runtime/follow/runtime.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic uint32_t mz__running_threads = 1;
static uint32_t processors;

static int sleep_while(const _Atomic uint32_t *word, uint32_t value, uint32_t bits, clockid_t clock,
                       const struct timespec *until)
{
    int saved = errno, operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
    if (clock == CLOCK_REALTIME)
        operation |= FUTEX_CLOCK_REALTIME;
    long result = syscall(SYS_futex, word, operation, value, until, NULL, bits);
    bool late = result < 0 && errno == ETIMEDOUT;
    errno = saved;
    return late ? ETIMEDOUT : 0;
}

int mz__sleep_while(const _Atomic uint32_t *word, uint32_t value, clockid_t clock,
                    const struct timespec *until)
{
    atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    int result = sleep_while(word, value, FUTEX_BITSET_MATCH_ANY, clock, until);
    atomic_fetch_add_explicit(&mz__running_threads, 1, memory_order_relaxed);
    return result;
}

int mz__nap_while(const _Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return sleep_while(word, value, bits, CLOCK_MONOTONIC, &until);
}

void mz__wake(const _Atomic uint32_t *word, int threads)
{
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, threads, NULL, NULL, 0);
    errno = saved;
}

void mz__wake_waiters(const _Atomic uint32_t *word, uint32_t bits)
{
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, INT32_MAX, NULL, NULL, bits);
    errno = saved;
}

void mz__count_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    processors = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

/* Threads that alternate wait for less time than it takes to fall asleep and to be woken, some 12 µs of a
 * processor. So a thread looks again and again first, if there is a processor for everybody. (Who does that
 * while the one that it waits for has none only delays it.) Others may have the processors, of whom we know
 * nothing: so it looks half as long the next time if that was in vain, and twice as long if not. Then it lets
 * others run, a few times: if there are more threads than processors, the one that it waits for is among
 * these. */
enum { MOST_SPINS = 400, LEAST_SPINS = 12, YIELDS = 20 };
static _Thread_local uint32_t spins = MOST_SPINS;

bool mz__hopes(mz__hope *hope)
{
    if (!hope->begun) {
        hope->begun = true;
        hope->spun = atomic_load_explicit(&mz__running_threads, memory_order_relaxed) <= processors;
        hope->spins = hope->spun ? spins : 0;
        hope->yields = YIELDS;
    }
    if (hope->spins > 0) {
        hope->spins--;
        mz__pause();
        return true;
    }
    if (hope->yields > 0) {
        hope->yields--;
        syscall(SYS_sched_yield); /* the function of that name is the program's */
        return true;
    }
    return false;
}

void mz__has_hoped(const mz__hope *hope)
{
    if (!hope->spun)
        return;
    if (hope->spins > 0)
        spins = spins < MOST_SPINS / 2 ? spins * 2 : MOST_SPINS;
    else
        spins = spins > LEAST_SPINS * 2 ? spins / 2 : LEAST_SPINS;
}

/* 0: free, 1: taken, 2: taken, and somebody may sleep. */
void mz__take(_Atomic uint32_t *lock)
{
    uint32_t expected = 0;
    if (atomic_compare_exchange_strong(lock, &expected, 1))
        return;
    while (atomic_exchange(lock, 2) != 0)
        mz__sleep_while(lock, 2, CLOCK_MONOTONIC, NULL);
}

void mz__give(_Atomic uint32_t *lock)
{
    if (atomic_exchange(lock, 0) == 2)
        mz__wake(lock, 1);
}
