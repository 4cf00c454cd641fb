/* What a program under test can say to the checker: mazurka.h and the names of the verification competition.
 */
#include "program/describe/failures.h"
#include "program/describe/notes.h"
#include "program/pthread/lifecycle.h"
#include "program/runtime/sections.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static void assume(bool holds)
{
    mz__thread *t = mz__w.current;
    if (!t)
        return;
    mz__note_assumption(mz__caller.pc, holds);
    if (holds)
        return;
    if (t->section_frames > 0 && t->section > 0 && !mz__section_has_chosen())
        mz__section_blocks(); /* the function waits until it can go through */
    mz__prune();
}

MZ__HOOK(void, mz_assume, int holds)
{
    assume(holds);
}

MZ__HOOK(void, __VERIFIER_assume, int holds)
{
    assume(holds);
}

MZ__HOOK(void, assume_abort_if_not, int holds)
{
    assume(holds);
}

MZ__HOOK(void, mz_assert_failed, const char *expression, const char *file, int line)
{
    (void)file;
    (void)line;
    mz__assertion(mz__caller.pc, "assertion failed: %s", expression);
}

MZ__HOOK(void, __VERIFIER_assert, int holds)
{
    if (!holds)
        mz__assertion(mz__caller.pc, "__VERIFIER_assert does not hold");
}

MZ__HOOK(void, reach_error, void)
{
    mz__assertion(mz__caller.pc, "reach_error() is reached");
}

MZ__HOOK(void, __VERIFIER_error, void)
{
    mz__assertion(mz__caller.pc, "__VERIFIER_error() is reached");
}

MZ__HOOK(void, abort_prog, void)
{
    mz__assertion(mz__caller.pc, "abort_prog() is called");
}

MZ__HOOK(void, mz_atomic_begin, void)
{
    mz__section_begin();
}

MZ__HOOK(void, mz_atomic_end, void)
{
    mz__section_end();
}

/* std::lock (cxx/linked/mutex.h): all of its locks are taken at once. */
MZ__HOOK(int, mz_lock_together_begin, void)
{
    mz__lock_together_begin();
    return 1;
}

MZ__HOOK(void, mz_lock_together_end, void)
{
    mz__lock_together_end();
}

MZ__HOOK(void, __VERIFIER_atomic_begin, void)
{
    mz__section_begin();
}

MZ__HOOK(void, __VERIFIER_atomic_end, void)
{
    mz__section_end();
}

MZ__HOOK(void, mz_yield, void)
{
}

/* Who it may be exchanged with is found out when it comes to its first operation (pthread/peers.c). */
MZ__HOOK(void, mz_symmetric, void)
{
    if (mz__w.current->events == 0)
        mz__cold_of(mz__w.current)->symmetric = true;
    else
        mz__give_up(mz__caller.pc, "mz_symmetric() comes too late: thread %u has begun", mz__me());
}
