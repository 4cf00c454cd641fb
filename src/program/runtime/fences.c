/* Fences, and what is to be known about the orders that a program uses. */
#include <stdio.h>
#include <string.h>

#include "program/describe/names.h"
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

void mz__goes_beyond_weak(const char *what)
{
    mz_position at = {0};
    if (mz__w.base.beyond_weak)
        return;
    mz__w.base.beyond_weak = true;
    mz__position_in_program(mz__caller.pc, &at);
    snprintf(mz__w.base.beyond_what, sizeof mz__w.base.beyond_what, "%s (%s:%u)", what,
             at.file ? at.file : "?", at.line);
    if (mz__w.base.weak)
        mz__learned();
}

/* ---- orders that are tried ----------------------------------------------------------------------------- */

static mz_order_site *new_site(mz_order_sites *all, mz_site_kind kind, mz_order order, mz_order failure)
{
    mz_position place = {0};
    mz__position_in_program(mz__caller.pc, &place);
    mz_order_site made = {.kind = kind,
                          .written = (uint8_t)order,
                          .written_failure = (uint8_t)failure,
                          .now = (uint8_t)order,
                          .now_failure = (uint8_t)failure,
                          .line = place.line,
                          .column = place.column};
    snprintf(made.file, sizeof made.file, "%s", place.file ? place.file : "");
    for (uint32_t i = 0; i < all->count; i++) {
        mz_order_site *s = &all->sites[i];
        if (s->kind == kind && s->line == made.line && s->column == made.column && s->written == order &&
            strcmp(s->file, made.file) == 0)
            return s;
    }
    if (all->count == MZ_MOST_ORDER_SITES)
        return NULL;
    all->sites[all->count] = made;
    return &all->sites[all->count++];
}

static mz_order_site *site_of_call(mz_order_sites *all, mz_site_kind kind, mz_order order, mz_order failure)
{
    uint64_t place = mz__caller.pc - mz__w.memory.code;
    for (uint32_t i = 0; i < all->call_count; i++)
        if (all->calls[i].place == place)
            return &all->sites[all->calls[i].site];
    mz_order_site *site = all->call_count < MZ_MOST_ORDER_CALLS ? new_site(all, kind, order, failure) : NULL;
    all->is_full |= !site;
    if (site) {
        all->calls[all->call_count].place = place;
        all->calls[all->call_count++].site = (uint32_t)(site - all->sites);
    }
    return site;
}

static int as_compilers_say(mz_order order)
{
    return order == MZ_RELAXED ? MZ__RELAXED : (int)order;
}

void mz__replace_orders(mz_site_kind kind, int *order, int *failure)
{
    const mz_order_site *site = site_of_call(mz__w.orders, kind, mz__order_of(*order & 0xffff),
                                             failure ? mz__order_of(*failure & 0xffff) : MZ_PLAIN);
    if (!site)
        return;
    *order = site->now == MZ_PLAIN ? MZ__RELAXED : as_compilers_say((mz_order)site->now);
    if (failure)
        *failure = as_compilers_say((mz_order)site->now_failure);
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
    if (MZ_UNLIKELY(mz__w.orders))
        mz__replace_orders(MZ_SITE_FENCE, &order, NULL);
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
