/* Local variables that other threads know of, and their end: the frame of a function is gone when it returns,
 * the stack of a thread when that has ended. Who uses them then uses something else, or nothing. Like the end
 * of a block by free(), that is an access to all of it: who uses such a variable, and nothing orders that
 * before the end, races with it. Otherwise the two would be independent, and seen in one order only.
 *
 * Only words that other threads were seen to touch are looked at. If a new one is found, and frames that may
 * have held it have ended already, the search begins again. How far a frame reaches is known from the debug
 * information; without it, frames end unseen. */
#include "program/runtime/frames.h"
#include "base/hash.h"
#include "program/order/happens_before.h"
#include "program/runtime/accesses.h"
#include "program/runtime/sections.h"
#include "program/symbols/symbols.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* A function's frame is most often of the same size wherever it returns from one place; asking costs more
 * than a step. */
enum { KNOWN_EXITS = 256 };
static struct {
    uintptr_t pc, bytes; /* 0: it varies, or is not known yet */
    bool varies;
} exits[KNOWN_EXITS];

/* The first function of a thread is not asked for: with it the thread ends, or, with main, the program, where
 * others go on only to show what they could have done before. */
static uintptr_t ask_for_end(void)
{
    mz_frame caller,
        frame = {.pc = mz__caller.pc, .sp = mz__caller.sp, .fp = mz__caller.preserved[MZ__FRAME_POINTER]};
    bool is_inner = mz__w.symbols && mz_symbols_caller(mz__w.symbols, &frame, &caller) && caller.cfa != 0;
    return is_inner ? caller.sp : frame.sp;
}

/* alloca() and arrays of variable length make frames larger. Their functions address the frame by a register
 * of its own, so that it is not the stack pointer alone that says where it ends. */
static uintptr_t end_of_frame(void)
{
    size_t i = (size_t)(mz_mix64(mz__caller.pc) % KNOWN_EXITS);
    if (exits[i].pc == mz__caller.pc && !exits[i].varies)
        return mz__caller.sp + exits[i].bytes;
    uintptr_t end = ask_for_end(), fp = mz__caller.preserved[MZ__FRAME_POINTER];
    exits[i].varies = fp >= mz__caller.sp && fp < end;
    exits[i].pc = mz__caller.pc;
    exits[i].bytes = end - mz__caller.sp;
    return end;
}

static void end_words(uintptr_t from, uintptr_t to)
{
    uint32_t me = mz__me();
    uintptr_t base = MZ__STACK_BASE(me);
    const uint64_t *bits = mz__w.foreign_words[me];
    for (size_t word = (from - base) >> 3, end = (to - base) >> 3; word < end;) {
        uint64_t rest = bits[word >> 6] >> (word & 63);
        size_t next = rest ? word + (size_t)__builtin_ctzll(rest) : (word | 63) + 1;
        if (rest && next < end)
            mz__last_access(base + 8 * next++, 8);
        word = next;
    }
}

static void leave_shared_frame(void)
{
    mz__thread *t = mz__w.current;
    uintptr_t from = mz__caller.sp & ~(uintptr_t)7, to = end_of_frame();
    if (to > t->stack_top) /* debug information that is wrong */
        to = t->stack_top;
    if (to > mz__w.frames_left_to[t->number])
        mz__w.frames_left_to[t->number] = to;
    if (mz__w.foreign_words[t->number] && t->section == 0 && to > mz__w.stack_shared_from[t->number])
        end_words(from > mz__w.stack_shared_from[t->number] ? from : mz__w.stack_shared_from[t->number], to);
}

/* What lies further down has ended with the functions that it belonged to. */
void mz__leave_shared_stack(void)
{
    uint32_t me = mz__me();
    uintptr_t from = mz__caller.sp & ~(uintptr_t)7;
    mz__w.frames_left_to[me] = mz__w.current->stack_top;
    if (mz__w.foreign_words[me])
        end_words(from > mz__w.stack_shared_from[me] ? from : mz__w.stack_shared_from[me],
                  mz__w.current->stack_top);
}

void mz__call_below_shared_words(void (*function)(void))
{
    const mz__thread *t = mz__w.current;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), word = mz__w.stack_shared_from[t->number];
    while (word < t->stack_top && !mz__is_foreign_word(t->number, word))
        word += 8;
    mz__call_on(((word < here ? word : here) & ~(uintptr_t)15) - 512, function);
}

/* ---- hooks -----------------------------------------------------------------------------------------------
 */

/* A function called __VERIFIER_atomic_… is one atomic section. */
static bool in_atomic_function(uintptr_t pc)
{
    for (size_t i = 0; i < mz__w.atomic_function_count; i++)
        if (pc >= mz__w.atomic_functions[i].begin && pc < mz__w.atomic_functions[i].end)
            return true;
    return false;
}

MZ__HOOK(void, __tsan_func_entry, void *caller)
{
    (void)caller;
    mz__thread *t = mz__w.current;
    mz__note_frame(t);
    t->body_sp = mz__caller.sp;
    if (mz__w.atomic_function_count == 0 || !in_atomic_function(mz__caller.pc))
        return;
    t->section_frames++;
    mz__section_begin();
}

MZ__HOOK(void, __tsan_func_exit, void)
{
    mz__thread *t = mz__w.current;
    mz__note_frame(t);
    t->body_sp = mz__caller.sp; /* its caller's is higher: what is entered next is measured from here, too
                                   small at most */
    if (t->saved_top < t->stack_top)
        mz__save_more_stack(t, mz__caller.sp);
    if (t->hashed_to != UINTPTR_MAX && mz__caller.sp + mz__window_margin() >= t->hashed_to)
        mz__made_progress(); /* it returns to what spin.c has not compared */
    if (MZ_UNLIKELY(mz__w.stack_is_shared[t->number]))
        leave_shared_frame();
    if (mz__w.atomic_function_count == 0 || !in_atomic_function(mz__caller.pc))
        return;
    t->section_frames--;
    mz__section_end();
}
