/* What a thread is about to do (operations.c): for hooks, about the running thread. */
#ifndef MZ_PROGRAM_RUNTIME_OPERATIONS_H
#define MZ_PROGRAM_RUNTIME_OPERATIONS_H

#include "program/order/memory_errors.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* It is about to perform an operation. Returns when it is to happen, and then it must happen at once: also at
 * once where nobody can notice. `reads`: its result decides what the thread does next, as in a spinning loop.
 */
/* Begin to describe it: nothing touched yet, free to happen. */
static inline mz__pending *mz__prepare(mz__thread *thread, mz_operation_kind kind, const char *verb)
{
    mz__pending *p = &thread->pending;
    p->kind = kind;
    p->guard = p->condition = MZ__FREE;
    p->size = 0;
    p->counted = p->resumable = p->shares = false;
    p->order = p->failure_order = MZ_PLAIN;
    p->verb = verb;
    p->access_count = 0;
    return p;
}
void mz__prepare_new_data(mz__pending *pending, uintptr_t address, uint32_t size, uint32_t kind);
static inline void mz__prepare_data(mz__pending *p, uintptr_t address, uint32_t size, uint32_t kind)
{
    uint32_t cell = mz__known_cell(address, size);
    if (cell == MZ__NO_CELL) {
        mz__prepare_new_data(p, address, size, kind);
        return;
    }
    p->address = address;
    p->size = size;
    p->access_count = p->own_count = 1;
    p->accesses[0] = (mz_access){cell, kind};
}
/* It is one of those by which plans name events (wire/plan_format.h). The count is part of the thread's
 * record: it is taken back with it. */
static inline void mz__count(mz__thread *thread)
{
    thread->operations++;
    thread->pending.counted = true;
}
static inline void mz__announce(mz__pending *pending, bool reads);
/* The operation turned out to be less than announced: a failed compare-and-swap is a read. */
void mz__executed_as(mz_operation_kind kind, bool writes);
/* It waits, with what it has prepared, until mz__wake() is called for it. */
static inline void mz__wait(void);

/* All that can be decided before: false if the operation may happen at once. */
bool mz__must_wait_for_turn(mz__pending *pending, bool reads);

static inline __attribute__((always_inline)) void mz__announce(mz__pending *pending, bool reads)
{
    if (!mz__must_wait_for_turn(pending, reads))
        return;
    if (!mz__goes_on(mz__w.current))
        mz__leave_fiber();
    mz__w.in_operation = true;
    pending = &mz__w.current->pending;
    if (pending->address - MZ__ARENA < MZ__HEAPS || pending->gone) /* others may have freed it meanwhile */
        mz__check_memory((const void *)pending->address, pending->size ? pending->size : 1, false,
                         mz__caller.pc);
}

static inline __attribute__((always_inline)) void mz__wait(void)
{
    mz__w.current->pending.guard = MZ__WOKEN;
    mz__leave_fiber();
}

/* What is seldom: atomic sections, what comes after other threads, operations that may only read. */
void mz__add_details(mz__thread *thread, mz_operation *operation);
static inline bool mz__has_details(const mz__thread *thread)
{
    const mz__pending *p = &thread->pending;
    return p->kind == MZ_OP_ATOMIC || p->condition != MZ__FREE ||
           mz_threads_any(thread->caused_by | thread->joined);
}
/* Valid until the thread runs. */
static inline void mz__operation_of(mz__thread *thread, mz_operation *operation)
{
    const mz__pending *p = &thread->pending;
    *operation = (mz_operation){
        .kind = p->kind,
        .blocking = p->guard != MZ__FREE,
        .crowded = mz__is_crowded(p),
        .order = p->order,
        .failure_order = p->failure_order,
        .access_count = p->access_count,
        .accesses = p->accesses,
        .causes = thread->causes,
    };
    if (MZ_UNLIKELY(mz__has_details(thread)))
        mz__add_details(thread, operation);
}
/* It waits in a loop of its own, or would. */
static inline bool mz__is_spinning(const mz__thread *t)
{
    return t->pending.guard == MZ__CHANGED || t->pending.guard == MZ__NOT_IN_VAIN ||
           t->pending.guard == MZ__MUTEX_CHANGED || t->pending.guard == MZ__SECTION_CHANGED;
}
mz_threads mz__independent(mz_machine *machine, mz_threads threads, const mz_operation *operation);

#endif
