/* Barriers. */
#include <errno.h>
#include <pthread.h>

#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/order/happens_before.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/classes.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* There is no static initialiser: zeroes are none. */
static void check_barrier(const mz__barrier *barrier, const char *what)
{
    if (barrier->needed == 0 || barrier->state != MZ__READY)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a barrier is %s that is not initialised, or was destroyed",
                 what);
}

static void check_barrier_is_idle(const mz__barrier *barrier, const char *what)
{
    uint32_t who[MZ_MAX_THREADS];
    if (mz__waiting_for((uintptr_t)barrier, who) > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a barrier is %s while thread %u waits for it", what, who[0]);
}

MZ__HOOK(int, __wrap_pthread_barrier_init, mz__barrier *barrier, const void *attributes, unsigned count)
{
    (void)attributes;
    mz__begin_change(barrier, sizeof *barrier, "pthread_barrier_init");
    if (count == 0)
        return EINVAL;
    check_barrier_is_idle(barrier, "initialised");
    mz__change_object(barrier, sizeof *barrier);
    *barrier = (mz__barrier){.needed = count, .state = MZ__READY};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_barrier_destroy, mz__barrier *barrier)
{
    mz__begin_change(barrier, sizeof *barrier, "pthread_barrier_destroy");
    if (mz__w.report_misuse)
        check_barrier(barrier, "destroyed");
    check_barrier_is_idle(barrier, "destroyed");
    mz__change_object(barrier, sizeof *barrier);
    *barrier = (mz__barrier){0};
    return 0;
}

/* Who has ever come to the barrier there. If these are no more than it needs, each phase has all of them, and
 * it makes no difference who comes first. Otherwise it decides who is in which phase. */
typedef struct visitors {
    uintptr_t barrier;
    mz_threads threads;
    bool too_many;
} visitors;

static visitors *all_visitors;
static size_t visitors_count, visitors_capacity;

static visitors *visitors_of(const mz__barrier *barrier)
{
    for (size_t i = 0; i < visitors_count; i++)
        if (all_visitors[i].barrier == (uintptr_t)barrier)
            return &all_visitors[i];
    all_visitors = mz_grow(all_visitors, &visitors_capacity, visitors_count + 1, sizeof *all_visitors);
    all_visitors[visitors_count] = (visitors){.barrier = (uintptr_t)barrier};
    return &all_visitors[visitors_count++];
}

static bool all_are_needed(const mz__barrier *barrier)
{
    visitors *v = visitors_of(barrier);
    v->threads |= mz_threads_of(mz__me());
    if (!v->too_many && mz_threads_count(v->threads) > barrier->needed) {
        v->too_many = true;
        mz__learned();
    }
    return !v->too_many;
}

static uint32_t class_of_arrival(const mz__barrier *barrier)
{
    bool commutes = mz__has_classes() && all_are_needed(barrier) && mz__result_is_unused();
    return commutes ? mz__class(MZ__ARRIVALS) : 0;
}

/* The last one has come: what each of them does now comes after all arrivals. */
static void open_barrier(const mz__barrier *barrier)
{
    uint32_t who[MZ_MAX_THREADS], count = mz__waiting_for((uintptr_t)barrier, who);
    for (uint32_t i = 0; i < count; i++) {
        mz__order_threads(who[i], mz__me());
        if (mz__has_classes()) /* otherwise this one comes after the others */
            mz__inherit_causes(mz__w.current, &mz__w.threads[who[i]]);
    }
    for (uint32_t i = 0; i < count; i++) {
        mz__thread *t = &mz__w.threads[who[i]];
        mz__change_thread(t);
        mz__cold_of(t)->waits_for = 0;
        mz__inherit_causes(t, mz__w.current);
        mz__order_threads(mz__me(), who[i]);
        mz__wake(who[i]);
    }
}

MZ__OPERATION(int, __wrap_pthread_barrier_wait, mz__barrier *barrier)
{
    mz__note_caller();
    uint32_t cell = MZ__OBJECT(barrier);
    mz__pending *p = mz__on_object(MZ_OP_ARRIVE, MZ__FREE, barrier, cell, "pthread_barrier_wait");
    p->accesses[0].kind |= class_of_arrival(barrier);
    mz__begin_operation(p, false);
    check_barrier(barrier, "used");
    mz__change_object(barrier, sizeof *barrier);
    if (++barrier->arrived < barrier->needed) {
        mz__cold_of(mz__w.current)->waits_for = (uintptr_t)barrier;
        mz__pending *waits = mz__prepare(mz__w.current, MZ_OP_AWAIT, "pthread_barrier_wait");
        waits->address = (uintptr_t)barrier;
        waits->resumable = true;
        mz__wait();
        return 0;
    }
    barrier->arrived = 0;
    open_barrier(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}
