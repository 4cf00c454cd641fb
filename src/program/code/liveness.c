/* Which registers may be read before they are written?
 *
 * A hook that is put between two instructions saves what the program has in registers on its stack. What is
 * in the others was left there by whoever ran last, perhaps by the checker itself: it must not become a part
 * of the thread's state, which is compared. So only what may be read is saved. Where control may go somewhere
 * unknown, everything may be. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <string.h>

enum {
    RETURNED = 1 << MZ__RAX | 1 << MZ__RDX | MZ__VECTORS,
    KEPT = 1 << MZ__RBX | 1 << MZ__RBP | 1 << MZ__RSP | 0xf000,
    ARGUMENTS = 1 << MZ__RDI | 1 << MZ__RSI | 1 << MZ__RDX | 1 << MZ__RCX | 1 << 8 | 1 << 9 | 1 << 10 |
                1 << MZ__RAX | MZ__VECTORS,
};

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* What a function is told. */
static uint32_t arguments_of(const char *name)
{
    enum { TWO = 1 << MZ__RDI | 1 << MZ__RSI, THREE = TWO | 1 << MZ__RDX };
    if (begins(name, "__tsan_func_exit"))
        return 0;
    if (begins(name, "__tsan_atomic") && strstr(name, "_load"))
        return TWO;
    if (begins(name, "__tsan_atomic") && !begins(name, "__tsan_atomic128") && !strstr(name, "_compare"))
        return THREE;
    if (begins(name, "__tsan_atomic") || strstr(name, "_range") || begins(name, "__tsan_vptr"))
        return ARGUMENTS & ~(uint32_t)MZ__VECTORS & ~(1U << MZ__RAX) & ~(3U << 9);
    return begins(name, "__tsan_") ? 1 << MZ__RDI : ARGUMENTS;
}

static uint32_t before(const mz__code *code, const mz__statement *s, const mz__instruction *i, uint32_t after)
{
    if (i->effect == MZ__CALLS) {
        mz__reference r = mz__code_reference(code, s, i->size);
        return (after & ~(uint32_t)MZ__LOST_BY_CALLS) | i->needed | arguments_of(r.name);
    }
    return (after & ~i->replaced) | i->needed;
}

/* In the program's own assembly labels may have any name, also one that stands there several times (`1:`):
 * where it jumps is seen from the code. */
static uint32_t live_at_target(const mz__code *code, size_t n, size_t first, size_t end,
                               const mz__instruction *i, const uint32_t *live)
{
    const mz__statement *s = &code->statements[n];
    if (s->target >= first && s->target < end && s->target)
        return live[s->target - first];
    if (i->number == 0 || mz__code_reference(code, s, i->size).kind != MZ__REFERS_TO_NOTHING)
        return MZ__ALL_REGISTERS;
    for (size_t to = first; to < end; to++) {
        const mz__statement *t = &code->statements[to];
        if (t->size > 0 && t->section == s->section && t->offset == s->offset + (uint64_t)i->number)
            return live[to - first];
    }
    return MZ__ALL_REGISTERS;
}

/* Behind it: where it goes on, and where it jumps. */
static uint32_t behind(const mz__code *code, size_t n, size_t first, size_t end, const mz__instruction *i,
                       const uint32_t *live, uint32_t named)
{
    bool goes_on = i->effect != MZ__RETURNS && strcmp(i->name, "jmp") != 0;
    uint32_t set = 0;
    if (i->effect == MZ__RETURNS)
        return KEPT | (RETURNED & named);
    if (i->effect == MZ__JUMPS)
        set |= live_at_target(code, n, first, end, i, live);
    if (goes_on)
        set |= n + 1 < end ? live[n + 1 - first] : MZ__ALL_REGISTERS;
    return set;
}

/* The registers that the function names at all: others it neither was given nor gives back. */
static uint32_t named_in(const mz__code *code, size_t first, size_t end, const mz__instruction *instructions)
{
    uint32_t set = 0;
    for (size_t n = first; n < end; n++) {
        const mz__instruction *i = &instructions[n - first];
        set |= i->needed | i->replaced | i->changed;
        if (i->size == 0 && code->statements[n].size > 0)
            set = MZ__ALL_REGISTERS;
        if (i->effect == MZ__CALLS && i->size > 0 &&
            !begins(mz__code_reference(code, &code->statements[n], i->size).name, "__tsan_"))
            set |= RETURNED; /* it may give back what it is given */
    }
    return set;
}

void mz__find_live(const mz__code *code, size_t first, size_t end, const mz__instruction *instructions,
                   uint32_t *live)
{
    uint32_t named = named_in(code, first, end, instructions);
    memset(live, 0, (end - first) * sizeof *live);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = end; n-- > first;) {
            const mz__instruction *i = &instructions[n - first];
            uint32_t after = behind(code, n, first, end, i, live, named);
            uint32_t now = i->size > 0                    ? before(code, &code->statements[n], i, after)
                           : code->statements[n].size > 0 ? (uint32_t)MZ__ALL_REGISTERS
                                                          : after;
            changed |= now != live[n - first];
            live[n - first] = now;
        }
    }
}

/* A call leaves nothing in the registers of arguments, so one is an argument of the next call only if those
 * before it were set in between. */
static bool is_passed(uint8_t target, uint32_t set, const char *name)
{
    static const uint8_t order[] = {MZ__RDI, MZ__RSI, MZ__RDX, MZ__RCX, 8, 9};
    if (!(arguments_of(name) >> target & 1))
        return false;
    for (size_t n = 0; n < MZ_LENGTH(order) && order[n] != target; n++)
        if (!(set >> order[n] & 1))
            return false;
    return true;
}

bool mz__is_read_after(const mz__code *code, size_t statement, size_t first, size_t end,
                       const mz__instruction *instructions, const uint32_t *live)
{
    uint8_t target = instructions[statement - first].target;
    uint32_t set = 0;
    for (size_t n = statement; n-- > first && instructions[n - first].effect != MZ__CALLS;)
        set |= instructions[n - first].changed;
    for (size_t n = statement + 1; n < end; n++) {
        const mz__instruction *i = &instructions[n - first];
        const mz__statement *s = &code->statements[n];
        bool is_straight = !s->is_entered && !s->is_unknown && (i->size > 0 || s->size == 0) &&
                           i->effect != MZ__JUMPS && i->effect != MZ__RETURNS;
        if (!is_straight)
            return live[n - first] >> target & 1;
        if (i->needed >> target & 1)
            return true;
        if (i->effect == MZ__CALLS)
            return is_passed(target, set, mz__code_reference(code, s, i->size).name);
        if (i->replaced >> target & 1)
            return false;
        set |= i->changed;
    }
    return true;
}
#endif
