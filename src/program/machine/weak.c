/* Synchronisation objects under weak memory.
 *
 * All operations on an object are in one order, its modification order: each is an update that reads from the
 * one before it. So the object itself is in memory as it is, and an operation does what it always does. What
 * it orders is what the standards say: a post, an unlock, the end of a once release; waiting for a semaphore,
 * taking a lock acquire, if they succeed; arriving at a barrier does both. Waits and signals order nothing:
 * that is left to the mutex.
 *
 * An operation that would have to wait cannot come directly after everything else. Whether it could have come
 * earlier is asked of the states that the object had: order/writes.c keeps as much of them as that takes. */
#include "program/machine/weak.h"

#include <string.h>

#include "program/order/writes.h"
#include "program/runtime/guards.h"
#include "program/world/world.h"

static bool is_of_object(mz__guard guard)
{
    return guard == MZ__POSITIVE || guard == MZ__MUTEX_FREE || guard == MZ__SPIN_FREE ||
           guard == MZ__READABLE || guard == MZ__WRITABLE || guard == MZ__ONCE_SETTLED;
}

static mz_order order_of(const mz__pending *p)
{
    bool timed_wait = p->condition == MZ__UNSIGNALLED && p->guard == MZ__FREE && p->access_count == 1;
    switch (p->kind) {
    case MZ_OP_ACQUIRE:
        return is_of_object(p->guard) ? MZ_ACQUIRE : MZ_PLAIN;
    case MZ_OP_RELEASE:
        return MZ_RELEASE;
    case MZ_OP_ARRIVE:
        return MZ_ACQ_REL;
    case MZ_OP_WAIT:
    case MZ_OP_SIGNAL:
        return MZ_RELAXED;
    case MZ_OP_UPDATE:
        return is_of_object(p->condition) ? MZ_ACQUIRE : timed_wait ? MZ_RELAXED : (mz_order)p->order;
    default:
        return (mz_order)p->order;
    }
}

void mz__add_orders(const mz__thread *t, mz_operation *o)
{
    const mz__pending *p = &t->pending;
    bool of_mutex = p->kind == MZ_OP_LOCK || p->kind == MZ_OP_UNLOCK;
    o->loose = o->cause_count > 0 && p->guard == MZ__MUTEX_FREE && strcmp(p->verb, "pthread_cond_wait") == 0;
    if (p->size > 0 || p->access_count == 0 || of_mutex)
        return;
    o->order = (uint8_t)order_of(p);
    o->failure_order = MZ_RELAXED;
    o->on_object = true;
    o->shares = p->shares || p->guard == MZ__READABLE || p->condition == MZ__READABLE;
}

/* Of an object: would it not have to wait, and not fail, in that state? Otherwise only a compare-exchange may
 * do without writing. */
bool mz__would_write_from(mz_machine *machine, uint32_t thread, uint32_t back)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    const mz__pending *p = &t->pending;
    uint32_t cell = p->accesses[0].location;
    if (p->condition == MZ__EQUAL) {
        uint64_t value[2] = {0};
        mz__value_of_write(cell, p->address, p->size, back, value);
        return memcmp(value, p->expected, p->size) == 0;
    }
    unsigned char state[MZ__KEPT_OF_OBJECT];
    if (p->guard == MZ__FREE && p->condition == MZ__FREE)
        return true;
    if (back > 0)
        mz__exchange_state_of_object(cell, p->address, back, state);
    bool would = p->guard != MZ__FREE ? mz__guard_holds(p, t) : mz__condition_holds(p, t);
    if (back > 0)
        mz__exchange_state_of_object(cell, p->address, 0, state);
    return would;
}

bool mz__describe_weakness(mz_machine *machine, bool before, mz_text *out)
{
    (void)machine;
    if (before)
        mz__forget_choice_of_write();
    return !before && mz__describe_choice_of_write(out);
}

bool mz__has_events(const mz_operation *o)
{
    switch (o->kind) {
    case MZ_OP_READ:
    case MZ_OP_WRITE:
    case MZ_OP_UPDATE:
    case MZ_OP_LOCK:
    case MZ_OP_UNLOCK:
    case MZ_OP_ACQUIRE:
    case MZ_OP_RELEASE:
    case MZ_OP_ARRIVE:
    case MZ_OP_SIGNAL:
        return o->access_count == 1;
    case MZ_OP_WAIT:
        return o->access_count == 2;
    case MZ_OP_FENCE:
    case MZ_OP_CHOOSE:
        return true;
    default:
        return false;
    }
}
