/* Does anybody look at what a call has returned?
 *
 * The number stands in rax. Ways are followed from where the call returns to, through jumps, with the set of
 * registers in which the number may be, or what was computed from it: a copy, a sum of registers. A way ends
 * well where the set is empty. Somebody may look where such a register is read by anything else (a store, a
 * comparison that decides a jump, an argument), where the code is not known, or the way is too long. (A
 * comparison itself only sets flags; they belong to the set.)
 *
 * Functions that are called by name are looked into: a compiler that sees one may know that it leaves rax
 * alone. A function that is found by an address, as all of other libraries are, may change rax, and no caller
 * can expect anything of it; registers that calls keep stay in the set. Where a way comes to a return, rax is
 * the result of its function: what becomes of that, the caller knows. So it is with operators of std::atomic,
 * and with functions that return nothing. */
#include "program/code/after_call.h"

#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <string.h>

enum { MOST_INSTRUCTIONS = 300, MOST_WAYS = 128, LONGEST_INSTRUCTION = 15 };
enum {
    RAX = 1 << MZ__RAX,
    KEPT_BY_CALLS = 1 << MZ__RBX | 1 << MZ__RBP | 1 << MZ__RSP | 0xf000,
    DEAD_AFTER_RETURN = 1 << MZ__RCX | 1 << MZ__RSI | 1 << MZ__RDI | 0xf00 | MZ__FLAGS,
};

typedef struct way {
    uintptr_t at;
    uint32_t holding; /* registers */
    bool is_called;   /* it began at a function that is called by name */
} way;

typedef struct following {
    mz__decoder *decoder;
    way ways[MOST_WAYS]; /* all that were begun */
    size_t count;
    uint32_t left; /* instructions */
    bool is_returned;
} following;

/* True if it is to be followed later, or has been. */
static bool add_way(following *f, way w)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->ways[i].at == w.at && f->ways[i].holding == w.holding && f->ways[i].is_called == w.is_called)
            return true;
    if (f->count == MOST_WAYS)
        return false;
    f->ways[f->count++] = w;
    return true;
}

/* A call by name: e8, and how far it is. */
static bool is_call_by_name(uintptr_t at, uintptr_t *function)
{
    const uint8_t *bytes = (const uint8_t *)at;
    int32_t distance;
    memcpy(&distance, bytes + 1, sizeof distance);
    *function = at + 5 + (uintptr_t)distance;
    return bytes[0] == 0xe8;
}

/* A jump to the address that stands in a table at a fixed place: how functions of other libraries are
 * reached. */
static bool jumps_by_table(const mz__instruction *i)
{
    return i->use_count == 1 && i->uses[0].base == MZ__RIP && i->uses[0].index == MZ__NO_REGISTER;
}

/* Registers that take over the number from others; 0: it is not one of the instructions that only do that. */
static uint32_t taken_over(const mz__instruction *i)
{
    bool adds_up = strcmp(i->name, "lea") == 0, copies = adds_up || i->effect == MZ__COPIES;
    bool computes = i->effect == MZ__COMPUTES || i->effect == MZ__ADDS;
    bool uses_memory = i->use_count > 0 && !adds_up;
    if (uses_memory || i->target >= MZ__GENERAL || i->is_vector || !(copies || computes))
        return 0;
    return 1U << i->target | (copies ? 0 : (uint32_t)MZ__FLAGS);
}

/* A comparison sets flags, and nothing else. */
static bool compares(const mz__instruction *i)
{
    return i->use_count == 0 && (strcmp(i->name, "test") == 0 || strcmp(i->name, "cmp") == 0);
}

/* What the instruction may read. In a doubt that is everything, but not of these. */
static uint32_t needed_by(const mz__instruction *i)
{
    if (strcmp(i->name, "nop") == 0 || strcmp(i->name, "endbr64") == 0)
        return 0;
    return strcmp(i->name, "leave") == 0 ? 1 << MZ__RSP | 1 << MZ__RBP : i->needed;
}

/* The way comes to a call. True: somebody may look. */
static bool looks_in_call(following *f, const way *w)
{
    uintptr_t function;
    if ((w->holding & ~(uint32_t)(RAX | KEPT_BY_CALLS | MZ__FLAGS)) || !is_call_by_name(w->at, &function))
        return true;
    return (w->holding & RAX) && !add_way(f, (way){function, RAX, true});
}

static bool looks_after_return(following *f, const way *w)
{
    if (w->is_called || (w->holding & ~(uint32_t)(RAX | DEAD_AFTER_RETURN)))
        return true;
    f->is_returned |= w->holding & RAX;
    return false;
}

/* Whether somebody may look on the way from here to where another one begins. */
static bool way_looks(following *f, way w)
{
    for (; f->left > 0 && w.holding != 0; f->left--) {
        mz__instruction i;
        if (!mz__decode(f->decoder, (const uint8_t *)w.at, LONGEST_INSTRUCTION, &i) || i.size == 0)
            return true;
        if (i.effect == MZ__RETURNS)
            return i.name[0] != 'r' || looks_after_return(f, &w);
        uint32_t taken = 0;
        if (needed_by(&i) & w.holding) {
            taken = compares(&i) ? (uint32_t)MZ__FLAGS : taken_over(&i);
            if (taken == 0)
                return true;
        }
        if (i.effect == MZ__CALLS) {
            if (looks_in_call(f, &w))
                return true;
            w.holding &= KEPT_BY_CALLS;
        }
        if (i.effect == MZ__JUMPS && i.number == 0)
            return !jumps_by_table(&i) || (w.holding & ~(uint32_t)(RAX | MZ__FLAGS));
        if (i.effect == MZ__JUMPS && !add_way(f, (way){w.at + (uintptr_t)i.number, w.holding, w.is_called}))
            return true;
        if (i.effect == MZ__JUMPS && strcmp(i.name, "jmp") == 0)
            return false;
        bool leaves = strcmp(i.name, "leave") == 0;
        w.holding = (w.holding & ~(leaves ? 1U << MZ__RBP : i.replaced)) | taken;
        w.at += i.size;
    }
    return w.holding != 0;
}

mz__result_use mz__use_of_result(uintptr_t returns_to)
{
    following f = {.decoder = mz__decoder_new(),
                   .ways = {{returns_to, RAX, false}},
                   .count = 1,
                   .left = MOST_INSTRUCTIONS};
    bool looks = false;
    for (size_t i = 0; i < f.count && !looks; i++)
        looks = way_looks(&f, f.ways[i]);
    mz__decoder_release(f.decoder);
    return looks ? MZ__RESULT_LOOKED_AT : f.is_returned ? MZ__RESULT_RETURNED : MZ__RESULT_DROPPED;
}
#else
mz__result_use mz__use_of_result(uintptr_t returns_to)
{
    (void)returns_to;
    return MZ__RESULT_LOOKED_AT;
}
#endif
