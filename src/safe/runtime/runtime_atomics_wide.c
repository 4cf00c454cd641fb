/* Atomic operations of sizes that no instruction has: calls of libatomic. A file of its own, because that
 * library is linked only with programs that ask for it. */
#include "safe/runtime/runtime_sync.h"

/* Above 16 bytes even a load takes that library's lock, and counts as a change. */
#define READS (MZ__INSTANT | MZ__KIND(READ) | MZ__KIND(UPDATE) | MZ__KIND(AWAIT))

DEFINE(void, __atomic_load, size_t size, const volatile void *p, void *result, int order)
{
    (void)order;
    mz__enforcement mode = mz__begin(READS, p);
    __real___atomic_load(size, p, result, __ATOMIC_SEQ_CST);
    mz__end(mode);
}

DEFINE(void, __atomic_store, size_t size, volatile void *p, void *value, int order)
{
    (void)order;
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(WRITE) | MZ__KIND(UPDATE), p);
    __real___atomic_store(size, p, value, __ATOMIC_SEQ_CST);
    mz__end(mode);
}

DEFINE(void, __atomic_exchange, size_t size, volatile void *p, void *value, void *result, int order)
{
    (void)order;
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(UPDATE), p);
    __real___atomic_exchange(size, p, value, result, __ATOMIC_SEQ_CST);
    mz__end(mode);
}

DEFINE(_Bool, __atomic_compare_exchange, size_t size, volatile void *p, void *expected, void *desired,
       int order, int failure_order)
{
    (void)order;
    (void)failure_order;
    mz__enforcement mode = mz__begin(READS, p);
    _Bool same =
        __real___atomic_compare_exchange(size, p, expected, desired, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    mz__end(mode);
    return same;
}
