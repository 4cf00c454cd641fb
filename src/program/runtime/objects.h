/* Operations on synchronisation objects: what all of them have in common (objects.c). */
#ifndef MZ_PROGRAM_RUNTIME_OBJECTS_H
#define MZ_PROGRAM_RUNTIME_OBJECTS_H

#include "program/order/happens_before.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/world/causes.h"
#include "program/world/object_states.h"
#include "program/world/world.h"

/* The object's location; reports and does not return if there is no memory. Variables of the program stay
 * where they are, and are nobody's own: of them it is asked once. */
uint32_t mz__find_object_cell(const void *object, size_t size);
static inline uint32_t mz__object_cell(const void *object, size_t size)
{
    uint32_t cell = mz__known_cell((uintptr_t)object, MZ__OBJECT_SIZE);
    bool is_there = cell != MZ__NO_CELL && mz__w.cells[cell].there >= size;
    return is_there ? cell : mz__find_object_cell(object, size);
}
#define MZ__OBJECT(pointer) mz__object_cell(pointer, sizeof *(pointer))
/* An operation on one object as the next one of a thread: of that one, or of the running one. */
static inline mz__pending *mz__prepare_on_object(mz__thread *thread, mz_operation_kind kind, mz__guard guard,
                                                 const void *object, uint32_t cell, const char *verb)
{
    if (mz__has_simple_sections(cell) && !thread->simple && !mz__unnoticed())
        mz__is_not_simple(cell);
    mz__pending *p = mz__prepare(thread, kind, verb);
    p->guard = guard;
    p->address = (uintptr_t)object;
    p->access_count = p->own_count = 1;
    p->accesses[0] = (mz_access){cell, MZ_READ | MZ_WRITE};
    return p;
}
static inline mz__pending *mz__on_object(mz_operation_kind kind, mz__guard guard, const void *object,
                                         uint32_t cell, const char *verb)
{
    return mz__prepare_on_object(mz__w.current, kind, guard, object, cell, verb);
}
/* The object with this state is used: was it initialised, and not destroyed since? Variables are zero if
 * nobody has done anything to them, as after static initialisation; of other memory more is asked. */
void mz__look_at_object(const int32_t *state, const char *what);
static inline void mz__check_object(const int32_t *state, const char *what)
{
    bool variable = (uintptr_t)state - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image;
    if (MZ_UNLIKELY(*state != MZ__READY && (*state != 0 || !variable)))
        mz__look_at_object(state, what);
}
/* The same before an operation that is only about to happen: it is asked then whether it was destroyed. */
static inline void mz__check_made(const int32_t *state, const char *what)
{
    if (*state != MZ__DESTROYED)
        mz__check_object(state, what);
}
/* The same when it is destroyed. Who has not asked about that goes on: to the C library it is nothing. */
void mz__check_end(const int32_t *state, const char *what);
/* Of a semaphore that stands behind its value. */
static inline int32_t *mz__semaphore_state(uint32_t *semaphore)
{
    return (int32_t *)(void *)(semaphore + 1);
}
/* Initialising and destroying an object is an operation on it, too. */
void mz__begin_change(const void *object, size_t size, const char *verb);
/* The calling thread changes an object of the program. */
void mz__change_object(void *object, size_t size);
/* The threads that wait for it to be signalled or completed. */
uint32_t mz__waiting_for(uintptr_t object, uint32_t *who);

/* Under weak memory: what it was before is kept (order/writes.c). */
void mz__keep_state_of_object(void);

/* The operation happens when this returns. Using an object is an access to it like an atomic one: freeing it
 * at the same time is a race. */
static inline __attribute__((always_inline)) void mz__begin_uncounted(mz__pending *p, bool reads)
{
    mz__announce(p, reads);
    if (MZ_UNLIKELY(mz__w.base.weak))
        mz__keep_state_of_object();
    mz__operation_access(mz__w.current->pending.address, 1, true);
}

static inline __attribute__((always_inline)) void mz__begin_operation(mz__pending *p, bool reads)
{
    mz__count(mz__w.current);
    mz__begin_uncounted(p, reads);
}

/* How the running thread is entered as the holder of an object. */
static inline int32_t mz__holder(void)
{
    return (int32_t)mz__me() + 1;
}

#endif
