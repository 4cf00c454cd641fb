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
#include "program/runtime/schedule.h"
#include "program/pthread/sync.h"

static void add_to_footprint(uint32_t cell, uint32_t kind)
{
    for (size_t i = 0; i < mz__w.footprint_count; i++)
        if (mz__w.footprint[i].location == cell) {
            if (mz__w.footprint[i].kind != MZ_WRITE) /* else it reads what it has written itself */
                mz__w.footprint[i].kind |= kind;
            return;
        }
    mz__w.footprint = mz_grow(mz__w.footprint, &mz__w.footprint_capacity, mz__w.footprint_count + 1,
                              sizeof *mz__w.footprint);
    mz__w.footprint[mz__w.footprint_count++] = (mz_access){cell, kind};
}

/* A section that runs, or is tried, has touched nothing yet; if its thread spins, it has looked at what that
 * waits for. */
void mz__section_footprint_begin(const mz__thread *t)
{
    mz__w.footprint_count = 0;
    for (uint32_t i = 0; i < t->pending.access_count; i++)
        add_to_footprint(t->pending.accesses[i].location, MZ_READ);
}

/* What it has only written comes last: that it fails, and writes nothing, follows from what it has read. */
static void take_for_reads(mz_access *footprint, size_t count)
{
    for (size_t i = 0, reads = 0; i < count; i++) {
        mz_access access = footprint[i];
        if (access.kind & MZ_READ) {
            footprint[i] = footprint[reads];
            footprint[reads++] = access;
        }
    }
    for (size_t i = 0; i < count; i++)
        footprint[i].kind = MZ_READ;
}

const mz_access *mz__section_footprint(bool without_writes, uint32_t *count)
{
    *count = (uint32_t)mz__w.footprint_count;
    if (without_writes)
        take_for_reads(mz__w.footprint, mz__w.footprint_count);
    return mz__w.footprint;
}

static void touch_cell(uint32_t cell, uint32_t kind)
{
    if (!mz__is_mine(cell))
        add_to_footprint(cell, kind);
}

/* A write acquires, too: what it comes after is ordered before what follows. Where only what is read is kept,
 * it reads that. */
static uint32_t kind_to_note(uint32_t kind)
{
    return mz__w.base.by_observation && !mz__w.ignores_order ? kind | MZ_READ : kind;
}

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

void mz__section_access(uintptr_t address, size_t size, uint32_t kind)
{
    bool writes = kind & MZ_WRITE;
    if (mz__unnoticed()) {
        if (writes)
            mz__made_progress();
        return;
    }
    uint32_t cells[16];
    for (size_t done = 0; done < size; done += 8) {
        size_t part = size - done < 8 ? size - done : size <= 16 ? size : 8;
        uint32_t count = mz__cells_of(address + done, part, false, cells);
        mz__note_before_section(address + done, (uint32_t)part, cells, count);
        for (uint32_t i = 0; i < count; i++) {
            touch_cell(cells[i], kind_to_note(kind));
            if (!mz__w.trying)
                mz__acquire(cells[i]);
        }
        if (part > 8)
            break;
    }
    mz__atomic_access(address, size, writes);
}

void mz__section_operation(const mz__pending *p)
{
    bool waits = p->guard != MZ__FREE && !mz__guard_holds(p, mz__w.current);
    mz__made_progress(); /* what it looks at is not noted */
    if (mz__unnoticed()) {
        if (waits)
            mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "%s waits for ever in an atomic section", p->verb);
        return;
    }
    for (uint32_t i = 0; i < p->access_count; i++)
        touch_cell(p->accesses[i].location, p->accesses[i].kind);
    if (waits)
        mz__section_blocks();
}

void mz__section_blocks(void)
{
    mz__w.section_blocked = true;
    mz__stop(MZ__PRUNED);
}

/* ---- choices ------------------------------------------------------------------------------------------ */

enum { MOST_DRAWS = 64 };

/* Draw what a section that begins here may take. */
static void draw_choices(mz__thread *t)
{
    if (mz__w.draw_count == 0)
        return;
    mz__rare *rare = mz__rarely(t);
    rare->first_drawn = rare->next_drawn = rare->drawn_count;
    for (size_t i = 0; i < mz__w.draw_count; i++) {
        mz__draw draw = mz__w.draws[i];
        if (draw.place != mz__caller.pc)
            continue;
        mz__drawn drawn = {mz__choose(draw.low, draw.high), i};
        rare = mz__rarely(t); /* the choice may have been a step of its own */
        t->drawn = mz_grow(t->drawn, &t->drawn_capacity, rare->drawn_count + 1, sizeof *t->drawn);
        t->drawn[rare->drawn_count++] = drawn;
    }
}

void mz__know_draw(uintptr_t place, int64_t low, int64_t high)
{
    mz__w.draws = mz_grow(mz__w.draws, &mz__w.draw_capacity, mz__w.draw_count + 1, sizeof *mz__w.draws);
    mz__w.draws[mz__w.draw_count++] = (mz__draw){place, low, high};
}

/* A choice for which nothing was drawn, after so many others. */
static void learn_draw(uintptr_t place, uint32_t index, int64_t low, int64_t high)
{
    uint32_t known = 0;
    for (size_t i = 0; i < mz__w.draw_count; i++)
        known += mz__w.draws[i].place == place;
    if (index < known)
        return; /* learned since it was at its beginning */
    if (known == MOST_DRAWS)
        mz__give_up(mz__caller.pc, "more than %d choices inside an atomic section", MOST_DRAWS);
    mz__know_draw(place, low, high);
    mz__learned();
}

static void widen_draw(mz__draw *draw, int64_t low, int64_t high)
{
    if (low >= draw->low && high <= draw->high)
        return;
    draw->low = low < draw->low ? low : draw->low;
    draw->high = high > draw->high ? high : draw->high;
    mz__learned();
}

bool mz__in_section_event(void)
{
    return mz__w.current->section > 0 && (mz__w.trying || mz__w.section_runs);
}

/* Then an assumption is about what was chosen, too: waiting with a value that may never do would look like a
 * deadlock, while another value could have gone through. */
bool mz__section_has_chosen(void)
{
    const mz__rare *rare = &mz__w.current->rare;
    return mz__in_section_event() && rare->next_drawn > rare->first_drawn;
}

int64_t mz__section_choose(int64_t low, int64_t high)
{
    mz__thread *t = mz__w.current;
    mz__rare *rare = mz__rarely(t);
    uint32_t next = rare->next_drawn++;
    if (next >= rare->drawn_count) {
        learn_draw(t->pc, next - rare->first_drawn, low, high);
        return low; /* the search begins again */
    }
    mz__drawn drawn = t->drawn[next];
    widen_draw(&mz__w.draws[drawn.draw], low, high);
    if (drawn.value < low || drawn.value > high)
        mz__prune(); /* that cannot be chosen now, and what can is drawn in other executions */
    return drawn.value;
}

/* ---- begin, end -----------------------------------------------------------------------------------------
 */

static mz__pending *plan_section(mz__thread *t, const char *verb)
{
    mz__w.has_sections = true;
    mz__pending *p = mz__plan(t, MZ_OP_ATOMIC, verb);
    p->guard = MZ__SECTION;
    p->address = 0;
    return p;
}

/* For the order of locks: it keeps these while it waits, whatever it does with them later. */
static void note_held(mz__thread *t)
{
    if (t->rare.held_before != t->held_last)
        mz__rarely(t)->held_before = t->held_last;
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
        plan_section(t, "atomic section");
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
 * A section that takes locks and does nothing else (cxx/mutex.h): where one of them is held, it waits in
 * front of it. A program that runs takes them otherwise, but it is one operation there, too, by which plans
 * name it: what happens in it does not count. */

const char mz__std_lock[] = "std::lock";

void mz__lock_together_begin(void)
{
    mz__thread *t = mz__w.current;
    if (t->section == 0) {
        bool noticed = !mz__unnoticed();
        note_held(t);
        if (noticed)
            plan_section(t, mz__std_lock);
        mz__count(t);
        mz__rare *rare = mz__rarely(t);
        rare->operations_before = t->operations;
        rare->accesses_before = mz__local.accesses;
        if (noticed)
            enter_section(t);
    }
    t->section++;
}

void mz__lock_together_end(void)
{
    mz__thread *t = mz__w.current;
    if (t->section == 1) {
        t->operations = t->rare.operations_before;
        mz__local.accesses = t->rare.accesses_before;
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
