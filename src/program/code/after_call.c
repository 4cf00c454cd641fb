/* Is a wait repeated? The ways through the program's machine code, from where a call returns to. */
#include "program/code/after_call.h"

#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <dlfcn.h>
#include <string.h>

enum { MOST_FOR_WAIT = 2000, MOST_WAYS = 128, LONGEST_INSTRUCTION = 15 };

typedef struct following {
    mz__decoder *decoder;
    uintptr_t ways[MOST_WAYS]; /* all that were begun */
    size_t count;
    uintptr_t returns_to;
    uint32_t left; /* instructions */
    bool is_lost, looks;
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

/* A thread that waits for a condition has to look again when the wait returns: others may have been faster,
 * and the wait may return without a signal. Who does so has the wait in a loop: from where it returns to, a
 * way leads back to the same call, and the mutex is held all the way. (A way that gives the mutex back leads
 * to another wait, as in a worker that takes one job after the other.) Ways are followed through jumps;
 * functions that are called are passed over, but for those that unlock. A function in which nothing comes
 * after the wait is a wrapper: whether there is a loop, its callers know. */

/* What stands in the table to which the instruction refers: "jmp *table(%rip)", "call *table(%rip)". */
static uintptr_t entry_of_table(const mz__instruction *i, uintptr_t at)
{
    if (i->use_count != 1 || i->uses[0].base != MZ__RIP || i->uses[0].index != MZ__NO_REGISTER)
        return 0;
    return *(const uintptr_t *)(at + i->size + (uintptr_t)i->uses[0].offset);
}

/* Through a table, directly, or by way of a jump that leads through a table; 0: not known. */
static uintptr_t function_of_call(following *f, const mz__instruction *call, uintptr_t at)
{
    int32_t distance;
    mz__instruction i;
    if (*(const uint8_t *)at != 0xe8)
        return entry_of_table(call, at);
    memcpy(&distance, (const uint8_t *)at + 1, sizeof distance);
    uintptr_t function = at + 5 + (uintptr_t)distance, stub = function;
    for (int steps = 0; steps < 2 && mz__decode(f->decoder, (const uint8_t *)stub, LONGEST_INSTRUCTION, &i);
         steps++, stub += i.size)
        if (i.effect == MZ__JUMPS && i.number == 0)
            return entry_of_table(&i, stub);
    return function;
}

static const char *name_of(uintptr_t function)
{
    Dl_info info;
    return function && dladdr((const void *)function, &info) && info.dli_sname ? info.dli_sname : "";
}

static bool unlocks(const char *name)
{
    return strstr(name, "mutex_unlock") || strstr(name, "mtx_unlock");
}

/* What every function calls at its beginning and end. */
static bool is_frame_hook(const char *name)
{
    return strstr(name, "tsan_func") || strstr(name, "stack_chk");
}

/* Goes on to where the way ends. True: it comes back to the wait. */
static bool way_comes_back(following *f, uintptr_t at)
{
    for (; f->left > 0; f->left--) {
        mz__instruction i;
        if (!mz__decode(f->decoder, (const uint8_t *)at, LONGEST_INSTRUCTION, &i) || i.size == 0)
            break;
        if (i.effect == MZ__RETURNS)
            return false;
        if (i.effect == MZ__CALLS && at + i.size == f->returns_to)
            return true;
        if (i.effect == MZ__CALLS) {
            const char *name = name_of(function_of_call(f, &i, at));
            f->looks |= !is_frame_hook(name);
            if (unlocks(name))
                return false;
        }
        if (i.effect == MZ__JUMPS && i.number == 0) {
            if (!entry_of_table(&i, at))
                break;
            return false; /* it ends with a call of another library */
        }
        if (i.effect == MZ__JUMPS)
            f->is_lost |= !add_way(f, at + (uintptr_t)i.number);
        if (i.effect == MZ__JUMPS && strcmp(i.name, "jmp") == 0)
            return false;
        at += i.size;
    }
    f->is_lost = true;
    return false;
}

mz__wait_habit mz__wait_habit_of(uintptr_t returns_to)
{
    following f = {.decoder = mz__decoder_new(),
                   .ways = {returns_to},
                   .count = 1,
                   .returns_to = returns_to,
                   .left = MOST_FOR_WAIT};
    bool comes_back = false;
    for (size_t i = 0; i < f.count && !comes_back && !f.is_lost; i++)
        comes_back = way_comes_back(&f, f.ways[i]);
    mz__decoder_release(f.decoder);
    return comes_back ? MZ__WAITS_IN_LOOP : f.is_lost || !f.looks ? MZ__WAITS_SOMEHOW : MZ__WAITS_ONCE;
}
#else
mz__wait_habit mz__wait_habit_of(uintptr_t returns_to)
{
    (void)returns_to;
    return MZ__WAITS_SOMEHOW;
}
#endif
