/* What happens inside of an atomic section: what it touches, and what it chooses. */
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/runtime/guards.h"
#include "program/runtime/sections.h"
#include "program/runtime/waits.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

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
    if (mz__w.trying && (kind & MZ_READ))
        mz__note_tried_read(address, size);
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

enum { MOST_DRAWS = 64 };

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
    const mz__cold *cold = &mz__w.current->cold;
    return mz__in_section_event() && cold->next_drawn > cold->first_drawn;
}

int64_t mz__section_choose(int64_t low, int64_t high)
{
    mz__thread *t = mz__w.current;
    mz__cold *cold = mz__cold_of(t);
    uint32_t next = cold->next_drawn++;
    if (next >= cold->drawn_count) {
        learn_draw(t->pc, next - cold->first_drawn, low, high);
        return low; /* the search begins again */
    }
    mz__drawn drawn = t->drawn[next];
    widen_draw(&mz__w.draws[drawn.draw], low, high);
    if (drawn.value < low || drawn.value > high)
        mz__prune(); /* that cannot be chosen now, and what can is drawn in other executions */
    return drawn.value;
}
