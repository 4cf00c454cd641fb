/* Which accesses are to something volatile: told by the hook that is called before. */
#include "program/order/happens_before.h"
#include "program/world/world.h"

#if defined __x86_64__
static bool is_volatile_hook(uintptr_t function)
{
    for (size_t i = 0; i < MZ__VOLATILE_HOOKS; i++)
        if (mz__w.volatile_hooks[i] == function)
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
    uintptr_t called = called_before(pc);
    return called != 0 && is_volatile_hook(called);
}
#else
bool mz__is_volatile(uintptr_t pc)
{
    (void)pc;
    return false;
}
#endif
