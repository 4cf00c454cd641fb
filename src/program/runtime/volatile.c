/* Accesses to what is volatile. C says nothing of them that threads could rely on: two of them race as any
 * others do. But there is code that has nothing else, and relies on what its processor and compilers make of
 * them (userspace-rcu, the Linux kernel, what is older than C11). With --volatile=atomic each is one atomic
 * operation, with the orders of the processor, as loads and stores in assembly are: if it has at most a word,
 * and lies where one may lie. */
#include "program/order/initialised.h"
#include "program/runtime/accesses.h"
#include "program/world/world.h"

static bool is_whole(uintptr_t address, size_t size)
{
    return mz__w.volatile_is_atomic && size <= sizeof(void *) && address % size == 0;
}

/* gcc tells of a bit-field that is set as of any write, and reads its unit behind that: two operations
 * (accesses.c has the same for plain accesses). */
static void store(uintptr_t address, uint32_t size)
{
    bool may_set_bit_field = !MZ__SEES_MACHINE_CODE && mz__w.by_gcc && mz__has_bit_fields();
    uint64_t unit = 0;
    if (may_set_bit_field) {
        mz__whole_load(address, size);
        memcpy(&unit, (const void *)address, size);
    }
    mz__whole_store(address, size);
    if (may_set_bit_field)
        memcpy((void *)address, &unit, size);
}

static void access_volatile(uintptr_t address, uint32_t size, bool writes)
{
    if (!is_whole(address, size)) {
        mz__compiled_access(address, size, writes);
        return;
    }
    mz__w.volatile_was_atomic = true;
    if (writes)
        store(address, size);
    else
        mz__whole_load(address, size);
}

#define VOLATILE(bytes)                                                                                      \
    MZ__ACCESS(__tsan_volatile_read##bytes, bytes)                                                           \
    {                                                                                                        \
        access_volatile(address, bytes, false);                                                              \
    }                                                                                                        \
    MZ__ACCESS(__tsan_volatile_write##bytes, bytes)                                                          \
    {                                                                                                        \
        access_volatile(address, bytes, true);                                                               \
    }                                                                                                        \
    MZ__ACCESS(__tsan_unaligned_volatile_read##bytes, bytes)                                                 \
    {                                                                                                        \
        access_volatile(address, bytes, false);                                                              \
    }                                                                                                        \
    MZ__ACCESS(__tsan_unaligned_volatile_write##bytes, bytes)                                                \
    {                                                                                                        \
        access_volatile(address, bytes, true);                                                               \
    }
#define SIZES(X) X(1) X(2) X(4) X(8) X(16)
SIZES(VOLATILE)

#define DECLARED(bytes)                                                                                      \
    void __tsan_volatile_read##bytes(void);                                                                  \
    void __tsan_volatile_write##bytes(void);                                                                 \
    void __tsan_unaligned_volatile_read##bytes(void);                                                        \
    void __tsan_unaligned_volatile_write##bytes(void);
SIZES(DECLARED)

/* For volatile_calls.c, which tells them apart from others. */
void mz__name_volatile_hooks(void)
{
#define NAMED(bytes)                                                                                         \
    __tsan_volatile_read##bytes, __tsan_volatile_write##bytes, __tsan_unaligned_volatile_read##bytes,        \
        __tsan_unaligned_volatile_write##bytes,
    static void (*const hooks[MZ__VOLATILE_HOOKS])(void) = {SIZES(NAMED)};
    for (size_t i = 0; i < MZ__VOLATILE_HOOKS; i++)
        mz__w.volatile_hooks[i] = (uintptr_t)hooks[i];
}
