/* Accesses to what is volatile. C says nothing of them that threads could rely on: two of them race as any
 * others do. But there is code that has nothing else, and relies on what its processor and compilers make of
 * them (userspace-rcu, the Linux kernel, what is older than C11). With --volatile=atomic each is one atomic
 * operation, with the orders of the processor, as loads and stores in assembly are: if it has at most a word,
 * and lies where one may lie. */
#include "program/memory/initialised.h"
#include "program/runtime/schedule.h"

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

/* ---- which accesses are such ----------------------------------------------------------------------------
 */

#if defined __x86_64__
#define DECLARED(bytes)                                                                                      \
    void __tsan_volatile_read##bytes(void);                                                                  \
    void __tsan_volatile_write##bytes(void);                                                                 \
    void __tsan_unaligned_volatile_read##bytes(void);                                                        \
    void __tsan_unaligned_volatile_write##bytes(void);
SIZES(DECLARED)

static bool is_volatile_hook(uintptr_t function)
{
#define NAMED(bytes)                                                                                         \
    __tsan_volatile_read##bytes, __tsan_volatile_write##bytes, __tsan_unaligned_volatile_read##bytes,        \
        __tsan_unaligned_volatile_write##bytes,
    static void (*const hooks[])(void) = {SIZES(NAMED)};
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        if ((uintptr_t)hooks[i] == function)
            return true;
    return false;
}

/* Where a call that returns to `pc` went: `call PLACE`, where `jmp *TABLE(%rip)` stands, perhaps behind an
 * endbr64. 0: it is another one. */
static bool is_code(uintptr_t address)
{
    enum { MOST = 16 };
    const mz__memory *m = &mz__w.memory;
    return address >= m->code + MOST && address + MOST <= m->code_end;
}

static uintptr_t called_before(uintptr_t pc)
{
    enum { CALL = 0xe8, CALL_BYTES = 5, JUMP_BYTES = 6, ENDBR_BYTES = 4 };
    static const uint8_t endbr[ENDBR_BYTES] = {0xf3, 0x0f, 0x1e, 0xfa};
    const uint8_t *code = (const uint8_t *)pc - CALL_BYTES;
    int32_t distance;
    uintptr_t function;
    if (!is_code(pc) || code[0] != CALL)
        return 0;
    memcpy(&distance, code + 1, sizeof distance);
    code = (const uint8_t *)(pc + (uintptr_t)(intptr_t)distance);
    if (!is_code((uintptr_t)code))
        return 0;
    if (memcmp(code, endbr, sizeof endbr) == 0)
        code += ENDBR_BYTES;
    if (code[0] == 0xf2) /* bnd */
        code++;
    if (code[0] != 0xff || code[1] != 0x25)
        return 0;
    memcpy(&distance, code + 2, sizeof distance);
    if (!is_code((uintptr_t)code + (uintptr_t)(intptr_t)distance))
        return 0;
    memcpy(&function, code + JUMP_BYTES + distance, sizeof function);
    return function;
}

bool mz__is_volatile(uintptr_t pc)
{
    return is_volatile_hook(called_before(pc));
}
#else
bool mz__is_volatile(uintptr_t pc)
{
    (void)pc;
    return false;
}
#endif
