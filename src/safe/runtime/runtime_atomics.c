/* The compiler's calls for atomic operations, of every width: whatever order is written in the program, they
 * are sequentially consistent, because that is how it was verified. */
#include "safe/runtime/follow/runtime.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

#define LOAD(bits, T)                                                                                        \
    static inline T load_##bits(const volatile T *p)                                                         \
    {                                                                                                        \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                        \
    static inline bool replace_##bits(volatile T *p, T *expected, T desired)                                 \
    {                                                                                                        \
        return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                        \
    static inline void store_##bits(volatile T *p, T value)                                                  \
    {                                                                                                        \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                        \
    }

LOAD(8, u8)
LOAD(16, u16)
LOAD(32, u32)
LOAD(64, u64)

/* Without the compiler's library for it: one instruction where there is one, else a lock of our own. All
 * accesses of this width come here. */
static inline bool replace_128(volatile u128 *p, u128 *expected, u128 desired)
{
#if defined __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
    u128 found = __sync_val_compare_and_swap(p, *expected, desired);
#else
    static _Atomic uint32_t lock;
    mz__take(&lock);
    u128 found = *p;
    if (found == *expected)
        *p = desired;
    mz__give(&lock);
#endif
    bool same = found == *expected;
    *expected = found;
    return same;
}

static inline u128 load_128(const volatile u128 *p)
{
    u128 value = 0;
    replace_128((volatile u128 *)p, &value, 0);
    return value;
}

static inline void store_128(volatile u128 *p, u128 value)
{
    u128 old = *p;
    while (!replace_128(p, &old, value))
        ;
}

#define DEFINE(T, name, ...)                                                                                 \
    T name(__VA_ARGS__);                                                                                     \
    T name(__VA_ARGS__)

#define ATOMIC(bits, T)                                                                                      \
    DEFINE(T, __tsan_atomic##bits##_load, const volatile T *p, int order)                                    \
    {                                                                                                        \
        (void)order;                                                                                         \
        mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(READ) | MZ__KIND(AWAIT), p);                 \
        T value = load_##bits(p);                                                                            \
        mz__end(mode);                                                                                       \
        return value;                                                                                        \
    }                                                                                                        \
    DEFINE(void, __tsan_atomic##bits##_store, volatile T *p, T value, int order)                             \
    {                                                                                                        \
        (void)order;                                                                                         \
        mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(WRITE), p);                                  \
        store_##bits(p, value);                                                                              \
        mz__end(mode);                                                                                       \
    }                                                                                                        \
    UPDATE(bits, T, exchange, operand)                                                                       \
    UPDATE(bits, T, fetch_add, (T)(old + operand))                                                           \
    UPDATE(bits, T, fetch_sub, (T)(old - operand))                                                           \
    UPDATE(bits, T, fetch_and, (T)(old & operand))                                                           \
    UPDATE(bits, T, fetch_or, (T)(old | operand))                                                            \
    UPDATE(bits, T, fetch_xor, (T)(old ^ operand))                                                           \
    UPDATE(bits, T, fetch_nand, (T) ~(old & operand))                                                        \
    COMPARE_EXCHANGE(bits, T, strong)                                                                        \
    COMPARE_EXCHANGE(bits, T, weak)                                                                          \
    DEFINE(T, __tsan_atomic##bits##_compare_exchange_val, volatile T *p, T expected, T desired, int order,   \
           int failure_order)                                                                                \
    {                                                                                                        \
        __tsan_atomic##bits##_compare_exchange_strong(p, &expected, desired, order, failure_order);          \
        return expected;                                                                                     \
    }

#define UPDATE(bits, T, name, result)                                                                        \
    DEFINE(T, __tsan_atomic##bits##_##name, volatile T *p, T operand, int order)                             \
    {                                                                                                        \
        (void)order;                                                                                         \
        mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(AWAIT), p);               \
        T old = *p;                                                                                          \
        while (!replace_##bits(p, &old, (result)))                                                           \
            ;                                                                                                \
        mz__end(mode);                                                                                       \
        return old;                                                                                          \
    }

#define COMPARE_EXCHANGE(bits, T, strength)                                                                  \
    DEFINE(int, __tsan_atomic##bits##_compare_exchange_##strength, volatile T *p, T *expected, T desired,    \
           int order, int failure_order)                                                                     \
    {                                                                                                        \
        (void)order;                                                                                         \
        (void)failure_order;                                                                                 \
        mz__enforcement mode =                                                                               \
            mz__begin(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(READ) | MZ__KIND(AWAIT), p);                 \
        bool same = replace_##bits(p, expected, desired);                                                    \
        if (same)                                                                                            \
            mz__end(mode);                                                                                   \
        else                                                                                                 \
            mz__end_as_read(mode);                                                                           \
        return same;                                                                                         \
    }

ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)
ATOMIC(128, u128)

DEFINE(void, __tsan_atomic_thread_fence, int order)
{
    (void)order;
    atomic_thread_fence(memory_order_seq_cst);
}

DEFINE(void, __tsan_atomic_signal_fence, int order)
{
    (void)order;
    atomic_signal_fence(memory_order_seq_cst);
}
