/* Atomic sections: mz_atomic_begin … mz_atomic_end, __VERIFIER_atomic_…: several accesses, one event.
 *
 * What a section touches must be known before it happens. It is found out by running it: the trail takes it
 * back. Its accesses, plain ones too, are atomic ones: they race with plain accesses outside of sections
 * only.
 *
 * It is one event. So whoever comes after a part of it comes after all of it: it acquires at its beginning
 * what it is going to touch, and releases at its end what it has written.
 *
 * A choice inside would make what is pending undetermined. So its value is drawn in front of the section, in
 * the local work that leads there, and the choice only takes it. How many are drawn, from which ranges, must
 * not depend on what others do meanwhile: as many as a section that begins at this place was ever seen to
 * take, and the search begins again when one takes more. Whatever the section could choose is thus among the
 * values drawn; where it takes fewer of them, it does the same for several. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/runtime/choices.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/runtime/waits.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* What was tried in front of it is what it is going to touch. */
static void acquire_footprint(const mz__thread *t)
{
    for (uint32_t i = 0; i < t->section_access_count; i++)
        mz__acquire(t->section_accesses[i].location);
}

/* What has only read leaves nothing that others could come after: two reads happen in any order. */
static void release_footprint(void)
{
    for (size_t i = 0; i < mz__w.footprint_count; i++)
        if (mz__w.footprint[i].kind & MZ_WRITE)
            mz__release(mz__w.footprint[i].location, true);
}

/* ---- choices ------------------------------------------------------------------------------------------ */

/* Draw what a section that begins here may take. */
static void draw_choices(mz__thread *t)
{
    if (mz__w.draw_count == 0)
        return;
    mz__cold *cold = mz__cold_of(t);
    cold->first_drawn = cold->next_drawn = cold->drawn_count;
    for (size_t i = 0; i < mz__w.draw_count; i++) {
        mz__draw draw = mz__w.draws[i];
        if (draw.place != mz__caller.pc)
            continue;
        mz__drawn drawn = {mz__choose(draw.low, draw.high), i};
        cold = mz__cold_of(t); /* the choice may have been a step of its own */
        t->drawn = mz_grow(t->drawn, &t->drawn_capacity, cold->drawn_count + 1, sizeof *t->drawn);
        t->drawn[cold->drawn_count++] = drawn;
    }
}

/* ---- begin, end -----------------------------------------------------------------------------------------
 */

static mz__pending *prepare_section(mz__thread *t, const char *verb)
{
    mz__w.has_sections = true;
    mz__pending *p = mz__prepare(t, MZ_OP_ATOMIC, verb);
    p->guard = MZ__SECTION;
    p->address = 0;
    return p;
}

/* For the order of locks: it keeps these while it waits, whatever it does with them later. */
static void note_held(mz__thread *t)
{
    if (t->cold.held_before != t->held_last)
        mz__cold_of(t)->held_before = t->held_last;
}

static void enter_section(const mz__thread *t)
{
    mz__begin_section();
    if (!mz__w.trying)
        acquire_footprint(t);
}

void mz__section_begin(void)
{
    mz__thread *t = mz__w.current;
    if (!t)
        return;
    if (t->section == 0)
        note_held(t);
    if (t->section == 0 && !mz__unnoticed()) {
        draw_choices(t);
        prepare_section(t, "atomic section");
        enter_section(t);
    }
    t->section++;
}

void mz__section_end(void)
{
    mz__thread *t = mz__w.current;
    if (!t)
        return;
    if (t->section == 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "the end of an atomic section that has not begun");
    if (--t->section > 0)
        return;
    if (mz__w.trying)
        mz__stop(MZ__ALIVE);
    if (mz__w.section_runs)
        release_footprint();
    mz__w.section_runs = false;
    mz__look_for_progress(t);
}

/* ---- std::lock ------------------------------------------------------------------------------------------
 *
 * A section that takes locks and does nothing else (cxx/linked/mutex.h): where one of them is held, it waits
 * in front of it. A program that runs takes them otherwise, but it is one operation there, too, by which
 * plans name it: what happens in it does not count. */

const char mz__std_lock[] = "std::lock";

void mz__lock_together_begin(void)
{
    mz__thread *t = mz__w.current;
    if (t->section == 0) {
        bool noticed = !mz__unnoticed();
        note_held(t);
        if (noticed)
            prepare_section(t, mz__std_lock);
        mz__count(t);
        mz__cold *cold = mz__cold_of(t);
        cold->operations_before = t->operations;
        cold->accesses_before = mz__local.accesses;
        if (noticed)
            enter_section(t);
    }
    t->section++;
}

void mz__lock_together_end(void)
{
    mz__thread *t = mz__w.current;
    if (t->section == 1) {
        t->operations = t->cold.operations_before;
        mz__local.accesses = t->cold.accesses_before;
    }
    mz__section_end();
}

/* Run it and take it back. */
bool mz__section_is_possible(mz__thread *t)
{
    mz__mark mark = {mz__trail_now.used, mz__w.state};
    uint32_t woken = mz__w.woken_count;
    mz_choices *choices = mz__w.choices;
    mz__trail_now.serial++;
    mz__section_footprint_begin(t);
    mz__forget_tried_reads();
    mz__w.trying = true;
    mz__w.section_blocked = false;
    mz__run_fiber(t);
    mz__w.trying = false;
    bool possible = !mz__w.section_blocked, fails = possible && t->life != MZ__ALIVE && t->section > 0;
    mz__w.section_blocked = false;
    mz__trail_rewind(mark.trail);
    mz__w.state = mark.state;
    mz__w.woken_count = woken;
    mz__w.choices = choices;
    const mz_access *accesses = mz__section_footprint(fails, &t->section_access_count);
    t->section_accesses = mz_grow(t->section_accesses, &t->section_access_capacity, mz__w.footprint_count,
                                  sizeof *t->section_accesses);
    if (t->section_access_count > 0)
        memcpy(t->section_accesses, accesses, t->section_access_count * sizeof *accesses);
    if (t->pending.guard == MZ__SECTION_CHANGED)
        possible &= mz__has_changed(t);
    if (!possible && !mz__w.base.complex_blocking) {
        mz__w.base.complex_blocking = true;
        mz__learned();
    }
    return possible;
}
