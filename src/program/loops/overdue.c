/* A thread that has not come back for long.
 *
 * Perhaps it waits for a variable that is not atomic. Plain accesses are no scheduling points, so that nobody
 * else gets a turn who could write it; and who wrote it would race with the one who looks. When a thread has
 * been silent for a while, its plain reads are looked at: if it comes to one in the same local state as
 * before, and has changed nothing since, it will do so for ever. What it reads becomes an event then, and the
 * search begins again. There the loop is one of those that wait (spin.c): either somebody writes to it, which
 * is the race, or nobody does, which is a livelock. (To make an access an event is always right; only that it
 * would be many more events keeps all of them from being such.) What is found does not depend on when the
 * looking began.
 *
 * What nobody else has touched so far is not looked at (mz__is_own_only). Long before we give up, the
 * thread's stack and heap are taken for shared, too: others may touch them later. */
#include "program/loops/overdue.h"
#include "base/hash.h"
#include "program/describe/failures.h"
#include "program/describe/stuck.h"
#include "program/order/special_words.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/world.h"

/* ---- silence, noticed by a signal: in the midst of anything ---------------------------------------------
 */

void mz__look_closer(void)
{
    if (mz__w.overdue == MZ__ON_TIME)
        mz__w.overdue = MZ__WATCHED;
}

/* The next access that is looked at tells the search. */
void mz__expose(void)
{
    uint32_t me = mz__me();
    if (mz__w.stack_is_shared[me] && mz__w.heap_is_shared[me])
        return;
    mz__w.heap_is_shared[me] = true;
    mz__w.stack_shared_from[me] = MZ__STACK_BASE(me);
    mz__share_stack(me);
    mz__w.overdue = MZ__EXPOSED;
}

/* The first hook after the operation of the step: nothing that follows it has changed anything yet. A section
 * is one operation with all that is done in it. */
static void end_operation(void)
{
    if (mz__w.current && (mz__w.current->section || mz__w.current->simple))
        return;
    mz__w.overdue = MZ__ON_TIME;
    mz__w.operation_is_over();
}

void mz__give_up_if_overdue(void)
{
    if (mz__w.overdue == MZ__NARRATED) {
        end_operation();
        return;
    }
    bool late = mz__w.overdue == MZ__TIMED_OUT;
    if (mz__w.overdue != MZ__OVERDUE && !late)
        return;
    mz__w.overdue = MZ__ON_TIME;
    if (late)
        mz__give_up(mz__caller.pc, "the time was over in the midst of what thread %u does for itself",
                    mz__me());
    mz__has_taken_long();
    mz__give_up(mz__caller.pc,
                "an endless loop? thread %u has done nothing that others could notice for %g s (--patience)",
                mz__me(), mz__w.patience);
}

/* ---- loops ----------------------------------------------------------------------------------------------
 */

/* Where the running thread was, in which step, at the read with this number. It is forgotten for a later one
 * ever more seldom, so that a loop of any length is found in the end. */
static struct {
    uint64_t step, stack;
    mz__registers registers;
    uint64_t reads, forgotten_at;
} then;

enum { DEEP = 1 << 20 };

static uint64_t hash_of_stack(const mz__thread *t)
{
    uint64_t hash = 0;
    for (uintptr_t word = mz__caller.sp & ~(uintptr_t)7; word < t->stack_top; word += sizeof(uint64_t))
        hash = mz_mix64(hash ^ *(const uint64_t *)word);
    return hash;
}

/* mz__made_progress() clears the places that were visited, and within a step nobody else does. */
static void remember(mz__thread *t)
{
    t->visit_places |= 1;
    then.registers = mz__caller;
    then.stack = hash_of_stack(t);
    then.forgotten_at = 2 * then.reads + 16;
}

static bool is_back(const mz__thread *t)
{
    return t->visit_places && memcmp(&then.registers, &mz__caller, sizeof mz__caller) == 0 &&
           then.stack == hash_of_stack(t);
}

/* At once, too: the run that only looks around goes on. */
static void make_event(uintptr_t address, size_t size)
{
    uint32_t cells[MZ__MOST_ACCESSES], count = mz__cells_of(address, size, false, cells);
    mz__shadow *shadow = mz__shadow_of(address);
    for (uint32_t i = 0; i < count; i++)
        mz__share_cell(cells[i]);
    MZ__SAVE(*shadow);
    shadow->more |= MZ__WORD_IS_EVENT;
    mz__remember_word(address & ~(uintptr_t)7, MZ__WORD_IS_EVENT);
}

bool mz__comes_back(void)
{
    mz__thread *t = mz__w.current;
    if (t->stack_top - mz__caller.sp > DEEP)
        return false;
    if (then.step != mz__trail_now.serial) {
        then.step = mz__trail_now.serial;
        then.reads = then.forgotten_at = 0;
    }
    if (then.reads > 0 && is_back(t))
        return true;
    if (then.reads++ >= then.forgotten_at)
        remember(t);
    return false;
}

bool mz__loops_over(uintptr_t address, size_t size)
{
    if (mz__w.overdue == MZ__EXPOSED) {
        mz__learned();
        mz__w.overdue = MZ__WATCHED;
    }
    if (!mz__comes_back())
        return false;
    make_event(address, size);
    return true;
}

/* Operations that nobody else could notice so far are no events, and neither is what library functions do. If
 * events are limited, those are, too: a loop of them has no end either. */
void mz__is_busy_with(uint64_t amount)
{
    enum { MOST_OF_ONE_STEP = 20000 };
    static uint64_t step, count;
    if (step != mz__trail_now.serial) {
        step = mz__trail_now.serial;
        count = 0;
    }
    count += amount;
    if (count < MOST_OF_ONE_STEP || !mz__w.current || mz__alone())
        return;
    mz__w.has_left_threads = true;
    mz__give_up(mz__caller.pc, "thread %u does a lot that nobody else has noticed so far", mz__me());
}
