/* Atomic sections: mz_atomic_begin … mz_atomic_end, __VERIFIER_atomic_…: several accesses, one event.
 *
 * What a section touches must be known before it happens. It is found out by running it: the trail takes it
 * back. Its accesses, plain ones too, are atomic ones (they acquire and release their locations, and race
 * with plain accesses outside of sections only). */
#include <stdlib.h>

#include "base/memory.h"
#include "native/schedule.h"
#include "native/sync.h"

void mz__section_footprint_clear(void)
{
    mz__w.footprint_count = 0;
}

static void add_to_footprint(uint32_t cell, uint32_t kind)
{
    for (size_t i = 0; i < mz__w.footprint_count; i++)
        if (mz__w.footprint[i].location == cell) {
            mz__w.footprint[i].kind |= kind;
            return;
        }
    mz__w.footprint = mz_grow(mz__w.footprint, &mz__w.footprint_capacity, mz__w.footprint_count + 1,
                              sizeof *mz__w.footprint);
    mz__w.footprint[mz__w.footprint_count++] = (mz_access){cell, kind};
}

const mz_access *mz__section_footprint(bool without_writes, uint32_t *count)
{
    *count = (uint32_t)mz__w.footprint_count;
    for (size_t i = 0; without_writes && i < mz__w.footprint_count; i++)
        mz__w.footprint[i].kind = MZ_READ;
    return mz__w.footprint;
}

static void touch_cell(uint32_t cell, uint32_t kind)
{
    if (!mz__is_mine(cell))
        add_to_footprint(cell, kind);
}

void mz__section_access(uintptr_t address, size_t size, bool writes)
{
    if (mz__unnoticed())
        return;
    uint32_t cells[16];
    for (size_t done = 0; done < size; done += 8) {
        size_t part = size - done < 8 ? size - done : size <= 16 ? size : 8;
        uint32_t count = mz__cells_of(address + done, part, false, cells);
        for (uint32_t i = 0; i < count; i++) {
            touch_cell(cells[i], writes ? MZ_WRITE : MZ_READ);
            if (mz__w.trying)
                continue;
            mz__acquire(cells[i]);
            mz__release(cells[i], true);
        }
        if (part > 8)
            break;
    }
    mz__atomic_access(address, size, writes);
    if (writes)
        mz__made_progress();
}

void mz__section_operation(const mz__pending *p)
{
    bool waits = p->guard != MZ__FREE && !mz__guard_holds(p, mz__w.current);
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

void mz__section_begin(void)
{
    mz__thread *t = mz__w.current;
    if (!t)
        return;
    if (t->section > 0 || mz__unnoticed()) {
        t->section++;
        return;
    }
    mz__w.has_sections = true;
    mz__pending *p = mz__plan(t, MZ_OP_ATOMIC, "atomic section");
    p->guard = MZ__SECTION;
    mz__begin_section();
    t->section = 1;
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
    mz__made_progress(); /* what it has read is not noted */
}

/* Run it and take it back. */
bool mz__section_is_possible(mz__thread *t)
{
    mz__mark mark = {mz__trail_now.used, mz__w.state};
    uint32_t woken = mz__w.woken_count;
    mz_choices *choices = mz__w.choices;
    mz__trail_now.serial++;
    mz__section_footprint_clear();
    mz__w.trying = true;
    mz__w.section_blocked = false;
    mz__run_fiber(t);
    mz__w.trying = false;
    bool possible = !mz__w.section_blocked;
    mz__w.section_blocked = false;
    mz__trail_rewind(mark.trail);
    mz__w.state = mark.state;
    mz__w.woken_count = woken;
    mz__w.choices = choices;
    t->section_accesses = mz_grow(t->section_accesses, &t->section_access_capacity, mz__w.footprint_count,
                                  sizeof *t->section_accesses);
    for (size_t i = 0; i < mz__w.footprint_count; i++)
        t->section_accesses[i] = mz__w.footprint[i];
    t->section_access_count = (uint32_t)mz__w.footprint_count;
    if (!possible && !mz__w.base.complex_blocking) {
        mz__w.base.complex_blocking = true;
        mz__learned();
    }
    return possible;
}
