/* What a thread is about to do: how it is described, whether anybody could notice, and what it comes after.
 */
#include "program/runtime/operations.h"
#include "base/memory.h"
#include "program/loops/overdue.h"
#include "program/loops/spin.h"
#include "program/order/memory_errors.h"
#include "program/runtime/classes.h"
#include "program/runtime/guards.h"
#include "program/runtime/sections.h"
#include "program/runtime/simple_sections.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- operations --------------------------------------------------------------------------------------- */

static inline bool is_shared(const mz__pending *p)
{
    bool shared = p->access_count > 0;
    for (uint32_t i = 0; i < p->access_count; i++)
        shared &= mz__w.cells[p->accesses[i].location].owner == MZ__SHARED;
    return shared;
}

/* Until a second thread touches it, nobody can notice. */
static bool is_private(const mz__pending *p)
{
    bool private = true;
    for (uint32_t i = 0; i < p->access_count; i++)
    private &= mz__is_mine(p->accesses[i].location);
    return private;
}

/* By observation: who is alone looks at what two others share, and which of them wrote last is worth an
 * event. What one thread alone has touched so far stays with that one: its last write is what is there.
 * (Taken for shared, a loop that waits for one location would be one that waits for two, with more to be
 * explored.) */
static bool is_of_no_interest(const mz__pending *p)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if (mz__w.cells[p->accesses[i].location].owner == MZ__SHARED)
            return false;
    return mz__alone();
}

/* Who reads what is his own so often in one step may be in a loop that waits for somebody after all: surely
 * if he comes back to where he was, and if not, in the end all the same. Who writes is busy (overdue.c). */
enum { SUSPICIOUS = 100000, PRIVATE_LIMIT = 20000000 };

static bool waits_for_somebody(const mz__pending *p)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if (p->accesses[i].kind & MZ_WRITE)
            return false;
    uint32_t reads = ++mz__w.private_operations;
    return reads >= PRIVATE_LIMIT || (reads >= SUSPICIOUS && mz__comes_back());
}

static inline bool nobody_can_notice(const mz__pending *p, bool shared)
{
    if (p->guard != MZ__FREE && !mz__guard_holds(p, mz__w.current))
        return false; /* it waits: that is to be seen */
    if (mz__unnoticed() || (mz__w.base.by_observation && is_of_no_interest(p)))
        return true;
    return !shared && is_private(p) && !waits_for_somebody(p);
}

static __attribute__((noinline)) bool must_wait_for_turn(mz__thread *t, mz__pending *p)
{
    mz__note_frame(t); /* it may have grown: alloca */
    if (mz__w.overdue)
        mz__give_up_if_overdue();
    if (MZ_UNLIKELY(mz__w.notes_sections))
        mz__note_section_operation();
    if (t->section) {
        mz__not_in_simple_section();
        mz__section_operation(p);
        return false;
    }
    bool shared = is_shared(p);
    if (nobody_can_notice(p, shared)) {
        if (p->size == 0)
            mz__looked_unnoted(); /* at an object; what is read of data is noted */
        if (MZ_UNLIKELY(p->gone))
            mz__check_memory((const void *)p->address, 1, false, mz__caller.pc);
        mz__is_busy(1);
        return false;
    }
    mz__is_noticed(t);
    for (uint32_t i = 0; i < p->access_count && !shared; i++)
        mz__share_cell(p->accesses[i].location);
    if (mz__w.counts_iterations)
        mz__count_iteration(t);
    return true;
}

/* Most operations are on one location that is known to be shared, and there are others who may notice them.
 * Then all that is left to be done is to look for spinning, and nothing is called on the way: no registers
 * are saved. */
static inline bool is_usual(const mz__thread *t, const mz__pending *p)
{
    const mz_status *status = &mz__w.state.status;
    bool special = mz__w.overdue || mz__w.notes_sections || t->deferred || mz__w.counts_iterations ||
                   mz__has_large_frame(t);
    return !special && !t->section && p->access_count == 1 &&
           mz__w.cells[p->accesses[0].location].owner == MZ__SHARED &&
           mz_threads_any((status->ready | status->blocked) & ~mz_threads_of(t->number));
}

/* A round that changes nothing waits for another value: what commutes must not let it go on. (An addition
 * does not look at the value: whether it takes back what a round has changed is the same after others.) */
static inline bool look_for_spinning(mz__thread *t, mz__pending *p)
{
    bool waits_for_turn = mz__look_for_spinning(t);
    bool looks = p->guard != MZ__FREE && !(p->guard == MZ__NOT_IN_VAIN && mz__is_sum(p->accesses[0].kind));
    if (MZ_UNLIKELY(p->accesses[0].kind >= MZ_CLASS) && looks)
        for (uint32_t i = 0; i < p->own_count; i++)
            p->accesses[i].kind %= MZ_CLASS;
    return waits_for_turn;
}

bool mz__must_wait_for_turn(mz__pending *p, bool reads)
{
    mz__thread *t = mz__w.current;
    mz__w.in_operation = false;
    if (!is_usual(t, p))
        return must_wait_for_turn(t, p) && (!reads || look_for_spinning(t, p));
    return reads ? look_for_spinning(t, p) : true;
}

/* The running thread comes to an atomic section. */
void mz__begin_section(void)
{
    mz__is_noticed(mz__w.current);
    if (mz__w.counts_iterations)
        mz__count_iteration(mz__w.current);
    mz__look_for_spinning(mz__w.current);
    mz__leave_fiber();
}

void mz__executed_as(mz_operation_kind kind, bool writes)
{
    if (!mz__w.in_operation)
        return;
    mz__w.executed->kind = kind;
    for (uint32_t i = 0; i < mz__w.executed->access_count; i++)
        mz__w.executed_into[i].kind = MZ_READ | (writes ? MZ_WRITE : 0);
}

/* ---- for the algorithms -----------------------------------------------------------------------------------
 */

static const mz_access *without_writes(mz__thread *t)
{
    for (uint32_t i = 0; i < t->pending.access_count; i++)
        t->reads_only[i] = (mz_access){t->pending.accesses[i].location, MZ_READ};
    return t->reads_only;
}

void mz__add_details(mz__thread *t, mz_operation *operation)
{
    const mz__pending *p = &t->pending;
    if (p->guard == MZ__SIMPLE) {
        operation->dynamic = true;
        operation->blocking = false;
        operation->access_count = t->tried_count;
        operation->accesses = mz__tried_accesses(t);
    } else if (p->kind == MZ_OP_ATOMIC) {
        operation->dynamic = true;
        operation->blocking = mz__w.base.complex_blocking;
        operation->access_count = t->section_access_count;
        operation->accesses = t->section_accesses;
    }
    if (mz_threads_any(t->caused_by | t->joined))
        operation->cause_count = mz__list_causes(t, t->causes);
    if (p->condition != MZ__FREE) {
        operation->conditional = true;
        if (p->condition == MZ__EQUAL ? !mz__is_as_expected(p) : !mz__condition_holds(p, t)) {
            operation->kind = MZ_OP_READ;
            operation->accesses = without_writes(t);
        }
    }
}

/* Without describing the operation in full, which sleep sets would ask for at every step. */
static __attribute__((noinline)) bool conflicts(mz__thread *t, const mz_operation *operation)
{
    const mz__pending *p = &t->pending;
    mz_operation own;
    if (p->condition == MZ__FREE && p->kind != MZ_OP_ATOMIC)
        return mz_accesses_conflict(p->accesses, p->access_count, operation->accesses,
                                    operation->access_count);
    mz__operation_of(t, &own); /* what it touches depends on what is there now */
    return mz_operations_conflict(&own, operation);
}

/* The same for what most operations are: one access of a kind that is known. */
static inline bool conflicts_with_one(mz__thread *t, const mz_operation *operation, mz_access access)
{
    const mz__pending *p = &t->pending;
    if (p->access_count == 1 && p->kind != MZ_OP_ATOMIC) {
        if (p->accesses[0].location != access.location)
            return false; /* most often */
        if (p->condition == MZ__FREE)
            return mz_kinds_conflict(p->accesses[0].kind, access.kind);
    }
    return conflicts(t, operation);
}

mz_threads mz__independent(mz_machine *machine, mz_threads threads, const mz_operation *operation)
{
    (void)machine;
    mz__thread *all = mz__w.threads;
    mz_threads independent = threads;
    bool one = operation->access_count == 1;
    mz_access access = one ? operation->accesses[0] : (mz_access){0, 0};
    MZ_FOR_EACH_THREAD(u, threads)
    {
        bool conflict = one ? conflicts_with_one(&all[u], operation, access) : conflicts(&all[u], operation);
        if (conflict)
            independent &= ~mz_threads_of(u);
    }
    return independent;
}
