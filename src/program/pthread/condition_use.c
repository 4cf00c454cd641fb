/* Two habits that lose wake-ups sooner or later, if not in this program, then in one where threads come at
 * another time; each is a warning, once for a place.
 *
 * (1) A wait that is in no loop (code/after_call.c). Of functions that only wait, the callers are looked at.
 * (2) A signal by a thread that has never taken the mutex with which others wait: so what they wait for was
 * changed without it, and one of them can have looked before and begin to wait afterwards. Who has had the
 * mutex and given it back before the signal is fine. With which mutex others wait is known as soon as
 * somebody has waited, in whichever execution. */
#include "program/pthread/condition_use.h"

#include "program/code/after_call.h"
#include "program/describe/frames.h"
#include "program/describe/names.h"
#include "program/describe/suppressions.h"
#include "program/describe/warnings.h"
#include "program/world/causes.h"

mz__condition_use mz__condition_uses[MZ__CONDITIONS];
uintptr_t mz__wait_places[MZ__CONDITIONS];

static bool is_suppressed(mz_suppression_kind kind, uintptr_t pc, const char *condition)
{
    mz_suppression_name names[1 + MZ__NAMES_OF_PLACE] = {{.name = condition}};
    size_t count = 1 + mz__names_of_place(pc, names + 1);
    return mz_suppressed(mz__w.suppressions, kind, names, count);
}

static mz__wait_habit habit_of_caller(void)
{
    enum { MOST_WRAPPERS = 4 };
    mz_frame frame = mz__frame_of_caller(), caller;
    mz__wait_habit habit = mz__wait_habit_of(frame.pc);
    for (int i = 0; i < MOST_WRAPPERS && habit == MZ__WAITS_SOMEHOW; i++) {
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
        habit = mz__wait_habit_of(frame.pc);
    }
    return habit;
}

void mz__meet_wait(uintptr_t condition)
{
    uintptr_t pc = mz__caller.pc, place = mz__call_in_program();
    if (mz__w.trying)
        return;
    mz__wait_places[pc % MZ__CONDITIONS] = pc;
    if (!mz__is_new_warning(MZ_WARN_WAIT_ONCE, place, 0) || habit_of_caller() != MZ__WAITS_ONCE)
        return;
    mz_text name = {0};
    mz__name_object(condition, &name);
    if (!is_suppressed(MZ_SUPPRESS_WAIT_ONCE, place, mz_text_string(&name)))
        mz__warn(MZ_WARN_WAIT_ONCE, place,
                 "the wait for %s is in no loop: it may return without a signal, or after another thread was "
                 "faster; look again in a while loop",
                 mz_text_string(&name));
    mz_text_release(&name);
}

static bool has_ever_taken(const mz__thread *t, uintptr_t mutex)
{
    for (uint32_t i = 1; i <= t->hold_count; i++)
        if (t->holds[i].object == mutex)
            return true;
    return false;
}

void mz__meet_signal(uintptr_t condition, uintptr_t mutex)
{
    const mz__thread *t = mz__w.current;
    if (mz__w.trying || has_ever_taken(t, mutex) || mz__alone())
        return;
    uintptr_t place = mz__call_in_program();
    if (!mz__is_new_warning(MZ_WARN_SIGNAL_UNLOCKED, place, 0))
        return;
    mz_text name = {0}, lock = {0};
    mz__name_object(condition, &name);
    mz__name_object(mutex, &lock);
    if (!is_suppressed(MZ_SUPPRESS_SIGNAL_UNLOCKED, place, mz_text_string(&name)))
        mz__warn(
            MZ_WARN_SIGNAL_UNLOCKED, place,
            "thread %u signals %s without having locked %s: who has looked, and is about to wait, misses "
            "the signal",
            t->number, mz_text_string(&name), mz_text_string(&lock));
    mz_text_release(&name);
    mz_text_release(&lock);
}
