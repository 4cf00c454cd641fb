/* Fences, and what is to be known about the orders that a program uses. */
#include "program/order/happens_before.h"
#include "program/runtime/operations.h"
#include "program/runtime/orders.h"
#include "program/runtime/simple_sections.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

void mz__asks_for_less(void)
{
    if (mz__w.weak_orders)
        return;
    mz__w.weak_orders = mz__w.base.weaker_orders = true;
    if (mz__w.base.is_told_of_orders)
        mz__learned();
}

void mz__goes_beyond_weak(void)
{
    if (mz__w.base.beyond_weak)
        return;
    mz__w.base.beyond_weak = true;
    if (mz__w.base.weak)
        mz__learned();
}

/* An event under weak memory only: otherwise it orders what has an order already. */
static __attribute__((noinline)) void begin_fence(mz__thread *t, mz_order order)
{
    const mz__registers caller = mz__caller; /* others call hooks meanwhile */
    mz__is_noticed(t);
    mz__not_in_simple_section();
    mz__pending *p = mz__prepare(t, MZ_OP_FENCE, "fence");
    p->address = 0;
    p->order = (uint8_t)order;
    mz__leave_fiber();
    mz__caller = caller;
}

MZ__OPERATION(void, __tsan_atomic_thread_fence, int order)
{
    mz_order is = mz__order_of(order & 0xffff);
    if (is == MZ_RELAXED)
        return;
    if (MZ_UNLIKELY(mz__w.base.weak) && mz__w.state.thread_count > 1 && !mz__w.current->section)
        begin_fence(mz__w.current, is);
    mz__fence(mz_acquires(is), mz_releases(is));
}

MZ__HOOK(void, __tsan_atomic_signal_fence, int order)
{
    (void)order;
}
