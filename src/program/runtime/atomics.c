/* The compiler's calls for atomic operations, of every width. One thread runs at a time: what happens between
 * two announcements is atomic by itself. */
#include "program/loops/overdue.h"
#include "program/loops/spin.h"
#include "program/loops/undone.h"
#include "program/order/happens_before.h"
#include "program/order/initialised.h"
#include "program/order/memory_errors.h"
#include "program/order/writes.h"
#include "program/runtime/accesses.h"
#include "program/runtime/classes.h"
#include "program/runtime/operations.h"
#include "program/runtime/orders.h"
#include "program/runtime/sections.h"
#include "program/runtime/simple_sections.h"
#include "program/world/progress.h"
#include "program/world/world.h"
#include "wire/written.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { RELAXED = MZ__RELAXED, ACQUIRE = MZ__ACQUIRE, RELEASE = MZ__RELEASE, SEQ_CST = MZ__SEQ_CST };

typedef struct atomic {
    uintptr_t address;
    u32 size;
    int order, failure_order;
    bool quiet; /* nobody can notice: it is in a section, or nobody else is there yet */
    bool weak;  /* it reads and writes where it is told to: order/writes.h */
    u32 back;   /* how far before the last write */
} atomic;

static bool acquires(int order)
{
    return mz_acquires(mz__order_of(order));
}

static bool releases(int order)
{
    return mz_releases(mz__order_of(order));
}

/* A variable of the program is always there, and nobody's own. Whether it is one is asked when it becomes a
 * location.
 */
static inline bool is_global(uintptr_t address, size_t size)
{
    const mz__memory *m = &mz__w.memory;
    return address >= m->image && address + size <= m->image_end;
}

/* A store that does not release continues what its thread has published, unless another thread's store has
 * come between: where only what is read is kept, it reads that. */
static inline u32 store_access(int order)
{
    bool continues = mz__w.base.by_observation && !mz__w.ignores_order && !releases(order & 0xffff);
    return continues ? MZ_READ | MZ_WRITE : MZ_WRITE;
}

/* Is it weaker than seq_cst? Not asked where nobody can notice: all that others do with the location comes
 * before in happens-before, or after, so that the operation reads what is last under every memory model. */
static inline void look_at_order(const atomic *a, bool exchanges)
{
    if (a->order != SEQ_CST || (exchanges && (a->failure_order & 0xffff) != SEQ_CST))
        mz__asks_for_less();
}

/* The operation is next; when this returns, it happens. */
static inline __attribute__((always_inline)) void begin(atomic *a, mz_operation_kind kind, u32 access,
                                                        const void *expected, const char *verb)
{
    if (MZ_UNLIKELY(mz__w.orders))
        mz__replace_orders(expected              ? MZ_SITE_EXCHANGE
                           : kind == MZ_OP_READ  ? MZ_SITE_LOAD
                           : kind == MZ_OP_WRITE ? MZ_SITE_STORE
                                                 : MZ_SITE_UPDATE,
                           &a->order, expected ? &a->failure_order : NULL);
    a->order &= 0xffff;          /* hints about lock elision stand above */
    mz__w.current->operations++; /* also where nobody can notice it */
    bool section = mz__w.current->section;
    if (section)
        look_at_order(a, expected);
    mz__not_in_simple_section();
    if (section && mz__shadow_of(a->address)) /* first: see accesses.c */
        mz__section_access(a->address, a->size, access % MZ_CLASS);
    if (!is_global(a->address, a->size)) {
        mz__check_operand(a->address, a->size, access & MZ_WRITE);
        mz__is_own_only(a->address);
        mz__is_own_only(a->address + a->size - 1);
    }
    a->quiet = section || mz__w.state.thread_count <= 1;
    if (a->quiet) {
        mz__w.in_operation = false; /* whoever performed the last one may have ended with it */
        if (mz__w.overdue)
            mz__give_up_if_overdue();
        mz__check_memory((const void *)a->address, a->size, access & MZ_WRITE, mz__caller.pc);
        mz__has_performed(kind, a->address, a->size, access & MZ_WRITE);
        return;
    }
    mz__pending *p = mz__prepare(mz__w.current, kind, verb);
    mz__prepare_data(p, a->address, a->size, access);
    p->counted = true;
    p->order = (uint8_t)mz__order_of(a->order);
    p->failure_order = (uint8_t)mz__order_of(a->failure_order & 0xffff);
    if (expected) {
        p->condition = MZ__EQUAL;
        memcpy(p->expected, expected, a->size);
    }
    mz__announce(p, true);
    if (mz__w.in_operation)
        look_at_order(a, expected);
}

/* Where to read from, or how many writes are to come behind this one: cold path. */
static __attribute__((noinline)) void choose_write(atomic *a)
{
    const mz__pending *p = &mz__w.current->pending;
    if (p->own_count != 1)
        mz__goes_beyond_weak("atomic accesses of different sizes to one place");
    a->weak = p->own_count == 1;
    a->back = a->weak ? mz__choose_write(p->accesses[0].location) : 0;
}

static inline bool is_weak(const atomic *a)
{
    return MZ_UNLIKELY(mz__w.base.weak) && mz__w.in_operation && !a->quiet;
}

/* The value that is in memory, or another one. */
static inline void read_value(atomic *a, void *value)
{
    if (!is_weak(a))
        return;
    choose_write(a);
    if (a->weak)
        mz__value_of_write(mz__w.current->pending.accesses[0].location, a->address, a->size, a->back, value);
}

/* What it has seen, for loops that wait, need not be what is in memory. */
static __attribute__((noinline)) void has_read_weakly(const atomic *a, const void *value)
{
    mz__thread *t = mz__w.current;
    uint32_t count = t->read_count;
    mz__reads_from(t->pending.accesses[0].location, a->back, acquires(a->order));
    mz__note_read(a->address, a->size);
    if (t->read_count == count + 1) {
        memset(t->reads[count].value, 0, sizeof t->reads[count].value);
        memcpy(t->reads[count].value, value, a->size);
    }
}

/* With a class it comes after none of those of its class: see classes.h. */
static void has_read(const atomic *a, const void *value)
{
    if (a->quiet)
        return;
    if (MZ_UNLIKELY(a->weak)) {
        has_read_weakly(a, value);
        return;
    }
    const mz__pending *p = &mz__w.current->pending;
    for (u32 i = 0; i < p->own_count && p->accesses[i].kind < MZ_CLASS; i++)
        if (acquires(a->order))
            mz__acquire(p->accesses[i].location);
        else
            mz__acquire_relaxed(p->accesses[i].location);
    mz__note_read(a->address, a->size);
}

/* About to write: an update continues what earlier releases have published, a store begins anew. False if
 * memory is to stay as it is: there are newer writes. */
static bool will_write(const atomic *a, bool update, const void *value)
{
    if (MZ_UNLIKELY(a->weak) && !mz__writes_at(mz__w.current->pending.accesses[0].location, a->address,
                                               a->size, a->back, value, releases(a->order), update))
        return false;
    if (!a->quiet && mz__w.in_operation) /* one write in this step: no need to remember the line */
        mz__save((void *)(a->address & ~(uintptr_t)15), 16);
    else
        mz__before_write_quietly(a->address, a->size);
    if (a->quiet || a->weak)
        return true;
    const mz__pending *p = &mz__w.current->pending;
    for (u32 i = 0; i < p->own_count; i++)
        if (releases(a->order))
            mz__release(p->accesses[i].location, update);
        else
            mz__release_relaxed(p->accesses[i].location, update);
    return true;
}

/* About to write another value: progress, unless that may be taken back again (loops/undone.c). */
static inline void will_change(const atomic *a, const void *before, const void *after)
{
    if (MZ_UNLIKELY(mz__w.tracks_changes) && !a->quiet && mz__w.current->pending.own_count == 1)
        mz__note_change(a->size, before, after);
    else
        mz__made_progress();
}

static __attribute__((noinline)) void show_sum(const atomic *a, u64 sum)
{
    if (mz__w.in_operation && !a->quiet && mz__is_sum(mz__w.current->pending.accesses[0].kind))
        mz__show_addition(a->size, sum);
}

static inline void note_access(const atomic *a, bool writes)
{
    if (!a->quiet)
        mz__operation_access(a->address, a->size, writes);
}

/* What is expected is read before the operation, and written behind it if that fails: by plain accesses of
 * the program, which the compiler leaves to this function. */
static void look_at_expected(uintptr_t address, size_t size, bool writes)
{
    mz__plain_access(address, size, writes);
    if (!writes)
        mz__has_read_value(address, size);
}

#define ATOMIC(bits, T)                                                                                      \
    MZ__OPERATION(T, __tsan_atomic##bits##_load, const volatile T *p, int order)                             \
    {                                                                                                        \
        atomic a = {.address = (uintptr_t)p, .size = sizeof(T), .order = order};                             \
        begin(&a, MZ_OP_READ, MZ_READ, NULL, "atomic load");                                                 \
        T value = *p;                                                                                        \
        read_value(&a, &value);                                                                              \
        note_access(&a, false);                                                                              \
        has_read(&a, &value);                                                                                \
        return value;                                                                                        \
    }                                                                                                        \
    MZ__OPERATION(void, __tsan_atomic##bits##_store, volatile T *p, T value, int order)                      \
    {                                                                                                        \
        atomic a = {.address = (uintptr_t)p, .size = sizeof(T), .order = order};                             \
        begin(&a, MZ_OP_WRITE, store_access(order), NULL, "atomic store");                                   \
        note_access(&a, true);                                                                               \
        if (is_weak(&a))                                                                                     \
            choose_write(&a);                                                                                \
        T old = *p;                                                                                          \
        if (old != value || a.back > 0)                                                                      \
            will_change(&a, &old, &value);                                                                   \
        else if (!a.quiet)                                                                                   \
            mz__has_written_same(a.address, a.size);                                                         \
        if (will_write(&a, false, &value))                                                                   \
            *p = value;                                                                                      \
    }                                                                                                        \
    UPDATE(bits, T, exchange, 0, operand)                                                                    \
    UPDATE(bits, T, fetch_add, MZ__SUMS, (T)(old + operand))                                                 \
    UPDATE(bits, T, fetch_sub, MZ__SUMS, (T)(old - operand))                                                 \
    UPDATE(bits, T, fetch_and, MZ__BITS_KEPT, (T)(old & operand))                                            \
    UPDATE(bits, T, fetch_or, MZ__BITS_SET, (T)(old | operand))                                              \
    UPDATE(bits, T, fetch_xor, MZ__BITS_CHANGED, (T)(old ^ operand))                                         \
    UPDATE(bits, T, fetch_nand, 0, (T) ~(old & operand))                                                     \
    static T compare_exchange_##bits(volatile T *p, T expected, T desired, int order, int failure_order,     \
                                     const char *verb)                                                       \
    {                                                                                                        \
        atomic a = {                                                                                         \
            .address = (uintptr_t)p, .size = sizeof(T), .order = order, .failure_order = failure_order};     \
        begin(&a, MZ_OP_UPDATE, MZ_READ | MZ_WRITE, &expected, verb);                                        \
        T old = *p;                                                                                          \
        read_value(&a, &old);                                                                                \
        note_access(&a, old == expected);                                                                    \
        if (old != expected)                                                                                 \
            a.order = a.failure_order & 0xffff;                                                              \
        has_read(&a, &old);                                                                                  \
        if (old == expected) {                                                                               \
            if (old != desired)                                                                              \
                will_change(&a, &old, &desired);                                                             \
            if (a.weak)                                                                                      \
                mz__executed_as(MZ_OP_UPDATE, true);                                                         \
            if (will_write(&a, true, &desired))                                                              \
                *p = desired;                                                                                \
        } else {                                                                                             \
            mz__executed_as(MZ_OP_READ, false);                                                              \
        }                                                                                                    \
        return old;                                                                                          \
    }                                                                                                        \
    COMPARE_EXCHANGE(bits, T, strong)                                                                        \
    COMPARE_EXCHANGE(bits, T, weak)                                                                          \
    MZ__OPERATION(T, __tsan_atomic##bits##_compare_exchange_val, volatile T *p, T expected, T desired,       \
                  int order, int failure_order)                                                              \
    {                                                                                                        \
        return compare_exchange_##bits(p, expected, desired, order, failure_order, "compare-exchange");      \
    }

#define UPDATE(bits, T, name, class, result)                                                                 \
    MZ__OPERATION(T, __tsan_atomic##bits##_##name, volatile T *p, T operand, int order)                      \
    {                                                                                                        \
        atomic a = {.address = (uintptr_t)p, .size = sizeof(T), .order = order};                             \
        u32 access = MZ_READ | MZ_WRITE | mz__class_of_update(class, a.address, a.size);                     \
        begin(&a, MZ_OP_UPDATE, access, NULL, "atomic " #name);                                              \
        T old = *p;                                                                                          \
        read_value(&a, &old);                                                                                \
        note_access(&a, true);                                                                               \
        has_read(&a, &old);                                                                                  \
        T new = (result);                                                                                    \
        if (new != old)                                                                                      \
            will_change(&a, &old, &new);                                                                     \
        if (MZ_UNLIKELY(mz__w.tracks_changes))                                                               \
            show_sum(&a, (u64)(T)(new - old));                                                               \
        if (will_write(&a, true, &new))                                                                      \
            *p = new;                                                                                        \
        return old;                                                                                          \
    }

#define COMPARE_EXCHANGE(bits, T, strength)                                                                  \
    MZ__OPERATION(int, __tsan_atomic##bits##_compare_exchange_##strength, volatile T *p, T *expected,        \
                  T desired, int order, int failure_order)                                                   \
    {                                                                                                        \
        look_at_expected((uintptr_t)expected, sizeof(T), false);                                             \
        T wanted = *expected;                                                                                \
        T old = compare_exchange_##bits(p, wanted, desired, order, failure_order, "compare-exchange");       \
        if (old == wanted)                                                                                   \
            return 1;                                                                                        \
        look_at_expected((uintptr_t)expected, sizeof(T), true);                                              \
        *expected = old;                                                                                     \
        return 0;                                                                                            \
    }

ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)
ATOMIC(128, u128)

/* ---- of any size ------------------------------------------------------------------------------------------
 *
 * Calls of libatomic, for what no instruction can do: structs of 3 or of 24 bytes. That library takes a lock
 * that belongs to the address. An operation is one on the first 16 bytes, which every other one on the same
 * object touches, too; what lies behind them is read and written under that lock, for which even a load is a
 * change. */

enum { MOST_BYTES = 16 };

static atomic whole(const volatile void *p, size_t size, int order)
{
    mz__goes_beyond_weak("an atomic object larger than a register");
    return (atomic){
        .address = (uintptr_t)p, .size = (u32)(size < MOST_BYTES ? size : MOST_BYTES), .order = order};
}

static void begin_whole(atomic *a, size_t size, mz_operation_kind kind, u32 access, const void *expected,
                        const char *verb)
{
    if (size > MOST_BYTES)
        begin(a, MZ_OP_UPDATE, MZ_READ | MZ_WRITE, NULL, verb);
    else
        begin(a, kind, access, expected, verb);
}

/* Between taking the lock and giving it back. */
static void access_rest(atomic *a, size_t size, bool writes)
{
    if (size <= MOST_BYTES)
        return;
    a->order = SEQ_CST;
    has_read(a, NULL);
    mz__plain_access(a->address + MOST_BYTES, size - MOST_BYTES, writes);
    const mz__pending *p = a->quiet ? NULL : &mz__w.current->pending;
    for (u32 i = 0; p && i < p->own_count; i++)
        mz__release(p->accesses[i].location, true);
}

static void write_whole(atomic *a, size_t size, const void *from, bool update)
{
    void *to = (void *)a->address;
    if (memcmp(to, from, size) != 0)
        mz__made_progress();
    mz__before_write_quietly(a->address, size);
    will_write(a, update, NULL);
    memcpy(to, from, size);
}

MZ__OPERATION(void, __wrap___atomic_load, size_t size, const void *p, void *result, int order)
{
    atomic a = whole(p, size, order);
    begin_whole(&a, size, MZ_OP_READ, MZ_READ, NULL, "atomic load");
    note_access(&a, false);
    access_rest(&a, size, false);
    has_read(&a, NULL);
    mz__plain_access((uintptr_t)result, size, true);
    memcpy(result, p, size);
}

MZ__OPERATION(void, __wrap___atomic_store, size_t size, void *p, const void *value, int order)
{
    atomic a = whole(p, size, order);
    mz__plain_access((uintptr_t)value, size, false);
    begin_whole(&a, size, MZ_OP_WRITE, MZ_WRITE, NULL, "atomic store");
    note_access(&a, true);
    access_rest(&a, size, true);
    if (memcmp(p, value, size) == 0 && !a.quiet)
        mz__note_read(a.address, a.size);
    write_whole(&a, size, value, size > MOST_BYTES);
}

MZ__OPERATION(void, __wrap___atomic_exchange, size_t size, void *p, const void *value, void *result,
              int order)
{
    atomic a = whole(p, size, order);
    mz__plain_access((uintptr_t)value, size, false);
    mz__plain_access((uintptr_t)result, size, true);
    begin_whole(&a, size, MZ_OP_UPDATE, MZ_READ | MZ_WRITE, NULL, "atomic exchange");
    note_access(&a, true);
    access_rest(&a, size, true);
    has_read(&a, NULL);
    mz__before_write_quietly((uintptr_t)result, size);
    memcpy(result, p, size);
    write_whole(&a, size, value, true);
}

MZ__OPERATION(int, __wrap___atomic_compare_exchange, size_t size, void *p, void *expected,
              const void *desired, int order, int failure_order)
{
    atomic a = whole(p, size, order);
    look_at_expected((uintptr_t)expected, size, false);
    mz__plain_access((uintptr_t)desired, size, false);
    begin_whole(&a, size, MZ_OP_UPDATE, MZ_READ | MZ_WRITE, expected, "compare-exchange");
    bool equal = memcmp(p, expected, size) == 0;
    note_access(&a, equal);
    if (!equal)
        a.order = failure_order & 0xffff;
    access_rest(&a, size, equal);
    has_read(&a, NULL);
    if (equal) {
        write_whole(&a, size, desired, true);
        return 1;
    }
    if (size <= MOST_BYTES)
        mz__executed_as(MZ_OP_READ, false);
    look_at_expected((uintptr_t)expected, size, true);
    memcpy(expected, p, size);
    return 0;
}

/* ---- in the program's own assembly -----------------------------------------------------------------------
 *
 * compile_announce.c puts this call before the instruction, which then does what it does: here it is only
 * told. */

static u64 written_result(mz__written_operation operation, u64 old, u64 operand, u32 bits)
{
    u64 bit = UINT64_C(1) << (operand & (bits - 1));
    switch (operation) {
    case MZ__WRITTEN_xchg:
        return operand;
    case MZ__WRITTEN_add:
        return old + operand;
    case MZ__WRITTEN_sub:
        return old - operand;
    case MZ__WRITTEN_inc:
        return old + 1;
    case MZ__WRITTEN_dec:
        return old - 1;
    case MZ__WRITTEN_and:
        return old & operand;
    case MZ__WRITTEN_or:
        return old | operand;
    case MZ__WRITTEN_xor:
        return old ^ operand;
    case MZ__WRITTEN_bts:
        return old | bit;
    case MZ__WRITTEN_btr:
        return old & ~bit;
    case MZ__WRITTEN_btc:
        return old ^ bit;
    case MZ__WRITTEN_neg:
        return -old;
    default: /* it changes what is there */
        return ~old;
    }
}

/* Would it be there already? */
static bool changes(const atomic *a, mz__written_operation operation, u64 operand)
{
    u64 old = 0, new;
    if (a->size > sizeof old)
        return true;
    memcpy(&old, (const void *)a->address, a->size);
    new = written_result(operation, old, operand, a->size * 8);
    return memcmp(&old, &new, a->size) != 0;
}

static void will_write_somewhere(const atomic *a, bool update)
{
    if ((a->address & 15) + a->size > 16)
        mz__before_write_quietly(a->address, a->size);
    will_write(a, update, NULL);
}

static void written_load(atomic *a)
{
    a->order = ACQUIRE;
    begin(a, MZ_OP_READ, MZ_READ, NULL, "load");
    note_access(a, false);
    has_read(a, NULL);
}

static void written_store(atomic *a, u64 value)
{
    a->order = RELEASE;
    begin(a, MZ_OP_WRITE, store_access(RELEASE), NULL, "store");
    note_access(a, true);
    if (changes(a, MZ__WRITTEN_xchg, value))
        mz__made_progress();
    else if (!a->quiet)
        mz__note_read(a->address, a->size);
    will_write_somewhere(a, false);
}

static void written_update(atomic *a, mz__written_operation operation, u64 operand, const u64 *expected)
{
    bool exchanges = operation == MZ__WRITTEN_cmpxchg || operation == MZ__WRITTEN_cmpxchg8b;
    begin(a, MZ_OP_UPDATE, MZ_READ | MZ_WRITE, exchanges ? expected : NULL,
          exchanges ? "compare-exchange" : "atomic update");
    bool writes = !exchanges || memcmp((const void *)a->address, expected, a->size) == 0;
    note_access(a, writes);
    has_read(a, NULL);
    if (!writes) {
        mz__executed_as(MZ_OP_READ, false);
        return;
    }
    if (exchanges || changes(a, operation, operand))
        mz__made_progress();
    will_write_somewhere(a, true);
}

#if defined __x86_64__
enum { ORDER_OF_LOADS = ACQUIRE, ORDER_OF_STORES = RELEASE };
#else
enum { ORDER_OF_LOADS = RELAXED, ORDER_OF_STORES = RELAXED };
#endif

void mz__whole_load(uintptr_t address, uint32_t size)
{
    mz__goes_beyond_weak("a volatile access");
    atomic a = {.address = address, .size = size, .order = ORDER_OF_LOADS};
    begin(&a, MZ_OP_READ, MZ_READ, NULL, "volatile read");
    note_access(&a, false);
    has_read(&a, NULL);
}

/* Whether it changes anything is not known: which value comes is told to nobody. */
void mz__whole_store(uintptr_t address, uint32_t size)
{
    mz__goes_beyond_weak("a volatile access");
    atomic a = {.address = address, .size = size, .order = ORDER_OF_STORES};
    begin(&a, MZ_OP_WRITE, store_access(a.order), NULL, "volatile write");
    note_access(&a, true);
    mz__made_progress();
    will_write_somewhere(&a, false);
}

/* Of a string of bits: the operand tells which one, and so where. */
static uintptr_t place_of_bit(uintptr_t address, u32 size, mz__written_operation operation, u64 operand)
{
    if (operation != MZ__WRITTEN_bts && operation != MZ__WRITTEN_btr && operation != MZ__WRITTEN_btc)
        return address;
    int64_t bit = size == 2 ? (int16_t)operand : size == 4 ? (int32_t)operand : (int64_t)operand;
    int64_t bits = (int64_t)size * 8;
    int64_t words = bit >= 0 ? bit / bits : -((bits - 1 - bit) / bits);
    return address + (uintptr_t)(words * (int64_t)size);
}

MZ__OPERATION(void, __tsan_written, uintptr_t address, u32 what, u64 operand, u64 low, u64 high)
{
    u32 size = what & 0xff, role = what >> 8 & 0xff;
    mz__written_operation operation = (mz__written_operation)(what >> 16);
    u64 expected[2] = {low, high};
    mz__goes_beyond_weak("an atomic operation in assembly");
    atomic a = {.address = place_of_bit(address, size, operation, operand), .size = size, .order = SEQ_CST};
    if (operation == MZ__WRITTEN_cmpxchg8b)
        expected[0] = high << 32 | (u32)low;
    if (role == MZ__WRITTEN_LOAD)
        written_load(&a);
    else if (role == MZ__WRITTEN_STORE)
        written_store(&a, operand);
    else
        written_update(&a, operation, operand, expected);
}

/* After arithmetic on atomic floating-point numbers: nobody can notice. */
MZ__WITHOUT_EFFECT(__atomic_feraiseexcept)
