/* Simple sections: critical sections that are one event each, so that those without conflicting data have no
 * order.
 *
 * Lock and unlock of one mutex never commute. But two whole sections do if their data do not conflict, and
 * then it is enough to explore one of their orders: the equivalence of lock-aware partial order reduction
 * (Kokologiannakis, Raad, Vafeiadis, OOPSLA 2019), where the order of sections follows from that of
 * conflicting accesses. Here this is no algorithm of its own. A section becomes *one* event, whose footprint
 * is the plain data it touches and not the mutex; two that do not conflict commute in the sense of promise
 * (2) of machine.h, and every algorithm for Mazurkiewicz traces explores the coarser classes as it is:
 * reverse search, too, which remembers nothing.
 *
 * A section of mutex m is *simple* if between lock and unlock its thread does nothing but local work and
 * plain accesses: no operation (another lock, trylock, a condition variable, an atomic operation, …), no
 * choice, no thread created, joined or ended, no loop that waits. A mutex is simple if all its sections are,
 * and nothing else is done to it while there are several threads. That is assumed of some mutexes
 * (section_notes.c), and as soon as it turns out wrong of one, the search begins again without it
 * (mz__is_not_simple): it is then an ordinary mutex, and nothing is lost but the reduction.
 *
 * Why this is right. Call an execution *atomic* if nobody else goes on between the beginning and the end of a
 * simple section. The search explores atomic executions only. Suppose it ends without a race and without
 * learning that a mutex is not simple.
 *  (1) Every execution E, also an unfinished one, is equivalent to A·p1·…·pk: A is atomic, and each p is the
 *      beginning of a simple section, of different threads and different mutexes. By induction over the steps
 *      of E; let b be the next one, of thread t.
 *      - b goes on with p_t. It moves to the left over the p_j behind p_t, unless it conflicts with an access
 *        c of p_j. But then there is a race: the sections of p_t and p_j hold one mutex each, two different
 *        ones. A·s_j·s_t with the whole sections is atomic, and so is A·s_t·s_j. In each of these, nothing
 *        orders the later section after the earlier one until its first access that conflicts with it
 *        (facts 3, 4), and those two have no common mutex: a race that the search has met.
 *      - b ends p_t. Then p_t·b moves to the left over the others for the same reason, into A.
 *      - b is anything else. It moves to the left over all p, as none of them has an operation, and a plain
 *        access of t that conflicts with an access of p_j is a race in A·b·s_j.
 *      - b locks m. Nobody holds it: if m is simple, nobody is in the midst of a section of it.
 *  (2) So nothing is missed. A failed assertion in E fails in A·p_t, which is met in A·s_t. Where everybody
 *      waits, k = 0, since what is begun can go on: A ends so, too. A simple mutex is never waited for.
 *  (3) What orders two simple sections in the program is the mutex, and what is explored is the order of
 *      those that conflict. So only that may count for the detection of races: an access in a section
 *      acquires what earlier sections *of the same mutex* have published with the same data, readers for
 *      writers, writers for all. Each of these edges joins two events that conflict, as the rule of
 *      happens_before.c wants it: none hides a race in all executions.
 *  (4) And no edge is missing: let a and b conflict, with no edge from a to b. Take the events that come
 *      before a or b by the edges there are. Conflicting accesses among them have the order that they had, so
 *      the threads do the same; a and b are next, with two different mutexes or none: a race of the program.
 *  (5) Data that simple sections of two mutexes access, one of them writing, would need the edges of (3) for
 *      each mutex apart. They are mostly races, and seldom: the later mutex is taken for an ordinary one.
 *
 * What a section touches must be known before it happens: it is tried, as atomic sections are, and the trail
 * takes it back. What was found is kept as long as all that the section reads has the same value: it would
 * then do the same. It lies in a list that grows with the execution (mz__w.state.tried_used), so that it is
 * there again when the search goes back. */
#include "program/runtime/simple_sections.h"

#include <assert.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/order/held.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- trying ------------------------------------------------------------------------------------------- */

/* What a section that was tried would touch, and what it would read there. */
typedef struct tried_value {
    uintptr_t address;
    uint64_t value;
    uint32_t size;
} tried_value;

static tried_value *tried_values;
static size_t tried_capacity, tried_value_capacity;

static uint64_t value_at(uintptr_t address, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
    return value;
}

static bool is_as_tried(const mz__thread *t)
{
    const tried_value *values = tried_values + t->tried;
    for (uint32_t i = 0; i < t->tried_count; i++)
        if (values[i].size > 0 && value_at(values[i].address, values[i].size) != values[i].value)
            return false;
    return true;
}

static void keep_tried(mz__thread *t, const mz_access *accesses, uint32_t count)
{
    uint32_t first = mz__w.state.tried_used ? mz__w.state.tried_used : 1; /* 0: nothing was tried */
    mz__w.tried = mz_grow(mz__w.tried, &tried_capacity, first + count, sizeof *mz__w.tried);
    tried_values = mz_grow(tried_values, &tried_value_capacity, first + count, sizeof *tried_values);
    for (uint32_t i = 0; i < count; i++) {
        const mz__cell *cell = &mz__w.cells[accesses[i].location];
        bool reads = accesses[i].kind & MZ_READ;
        mz__w.tried[first + i] = accesses[i];
        tried_values[first + i] = (tried_value){.address = cell->address, .size = reads ? cell->size : 0};
        if (reads)
            tried_values[first + i].value = value_at(cell->address, cell->size);
    }
    mz__save(&t->tried, sizeof t->tried + sizeof t->tried_count);
    t->tried = first;
    t->tried_count = count;
    mz__w.state.tried_used = first + count;
}

/* Run it and take it back. */
void mz__try_simple_section(mz__thread *t)
{
    if (t->tried > 0 && is_as_tried(t))
        return;
    mz__mark mark = {mz__trail_now.used, mz__w.state};
    uint32_t woken = mz__w.woken_count, count;
    mz_choices *choices = mz__w.choices;
    bool was_pruned = mz__w.was_pruned;
    mz__trail_now.serial++;
    mz__w.footprint_count = 0;
    mz__w.trying = true;
    mz__run_fiber(t);
    mz__w.trying = false;
    bool fails = t->life != MZ__ALIVE && t->section > 0;
    mz__trail_rewind(mark.trail);
    mz__w.state = mark.state;
    mz__w.woken_count = woken;
    mz__w.choices = choices;
    mz__w.was_pruned = was_pruned;
    const mz_access *accesses = mz__section_footprint(fails, &count);
    keep_tried(t, accesses, count);
}

/* ---- begin, end --------------------------------------------------------------------------------------- */

static mz__pending *plan_section(mz__thread *t, const mz__mutex *mutex, uint32_t cell)
{
    mz__pending *p = mz__prepare(t, MZ_OP_ATOMIC, "pthread_mutex_lock");
    p->guard = MZ__SIMPLE;
    p->address = (uintptr_t)mutex;
    p->own_count = 0;
    mz__count(t);
    t->simple = cell + 1;
    t->tried = t->tried_count = 0;
    return p;
}

static void take(mz__mutex *mutex)
{
    mz__touch(mutex, sizeof *mutex);
    mutex->owner = mz__holder();
    mutex->count = 1;
    mz__w.current->held += mz_mix64((uintptr_t)mutex);
    mz__now_holds(mutex, false, true);
}

bool mz__begin_simple_section(mz__mutex *mutex, uint32_t cell)
{
    mz__thread *t = mz__w.current;
    if (t->section > 0 || mz__unnoticed())
        return false;
    if (mutex->owner || mutex->robust) {
        mz__is_not_simple(cell);
        return false;
    }
    if (t->cold.held_before != t->held_last)
        mz__cold_of(t)->held_before = t->held_last;
    mz__pending *p = plan_section(t, mutex, cell);
    mz__is_noticed(t);
    if (mz__w.counts_iterations)
        mz__count_iteration(t);
    p->guard = MZ__MUTEX_FREE; /* as that of a lock: is it a loop that polls under the mutex? */
    mz__look_for_spinning(t);
    if (p->guard != MZ__MUTEX_FREE)
        mz__leave_simple_section();
    p->guard = MZ__SIMPLE;
    mz__leave_fiber();
    t->section = 1;
    mz__check_memory(mutex, 1, false, mz__caller.pc);
    mz__check_object(&mutex->state, "mutex");
    if (mutex->owner)
        mz__leave_simple_section();
    if (!mz__w.trying)
        mz__unsettled_access((uintptr_t)mutex, 1, true);
    take(mutex);
    return true;
}

void mz__end_simple_section(mz__mutex *mutex, uint32_t cell)
{
    mz__thread *t = mz__w.current;
    assert(t->simple == cell + 1);
    t->section = 0;
    if (mz__w.trying)
        mz__stop(MZ__ALIVE);
    t->operations++;
    t->simple = 0;
    mz__touch(mutex, sizeof *mutex);
    mutex->owner = 0;
    mutex->count = 0;
    t->held -= mz_mix64((uintptr_t)mutex);
    mz__no_longer_holds(mutex);
    mz__release_guarded(mz__w.footprint, mz__w.footprint_count);
    mz__w.section_runs = false;
    mz__look_for_progress(t);
    mz__w.base.refined |= MZ_REFINES_LOCKS;
}
