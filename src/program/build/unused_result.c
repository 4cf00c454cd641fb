/* A result stands in rax. It is unused if, on every way from where the call returns to, rax is written before
 * it is read. Ways are followed through jumps and into functions that are called by name: a compiler that
 * sees such a function may know that it leaves rax alone. A function that is found by an address, as all of
 * other libraries are, may change rax, and no caller can expect anything of it. Where a way comes to a
 * return, or to what is not known, or is too long, the result may be used. */
#include "program/build/unused_result.h"

#include "program/build/compile_code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <string.h>

enum { MOST_INSTRUCTIONS = 200, MOST_WAYS = 16, LONGEST_INSTRUCTION = 15 };

typedef struct following {
    mz__decoder *decoder;
    uintptr_t ways[MOST_WAYS]; /* all that were begun */
    size_t count;
    uint32_t left; /* instructions */
} following;

/* True if it is to be followed later, or has been. */
static bool add_way(following *f, uintptr_t at)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->ways[i] == at)
            return true;
    if (f->count == MOST_WAYS)
        return false;
    f->ways[f->count++] = at;
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

/* Whether rax is needed on the way from here to where another one begins. */
static bool way_needs_it(following *f, uintptr_t at)
{
    for (; f->left > 0; f->left--) {
        mz__instruction i;
        if (!mz__decode(f->decoder, (const uint8_t *)at, LONGEST_INSTRUCTION, &i) || i.size == 0 ||
            (i.needed & 1 << MZ__RAX) || i.effect == MZ__RETURNS)
            return true;
        uintptr_t function;
        if (i.effect == MZ__CALLS)
            return is_call_by_name(at, &function) && !add_way(f, function);
        if (i.effect == MZ__JUMPS && i.number == 0)
            return !jumps_by_table(&i);
        if (i.effect == MZ__JUMPS && !add_way(f, at + (uintptr_t)i.number))
            return true;
        if ((i.replaced & 1 << MZ__RAX) || (i.effect == MZ__JUMPS && strcmp(i.name, "jmp") == 0))
            return false;
        at += i.size;
    }
    return true;
}

bool mz__result_is_replaced(uintptr_t returns_to)
{
    following f = {.decoder = mz__decoder_new(), .ways = {returns_to}, .count = 1, .left = MOST_INSTRUCTIONS};
    bool needed = false;
    for (size_t i = 0; i < f.count && !needed; i++)
        needed = way_needs_it(&f, f.ways[i]);
    mz__decoder_release(f.decoder);
    return !needed;
}
#else
bool mz__result_is_replaced(uintptr_t returns_to)
{
    (void)returns_to;
    return false;
}
#endif
