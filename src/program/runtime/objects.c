/* What all synchronisation objects have in common: when an operation on one may happen, and how it is
 * announced. */
#include "program/pthread/sync.h"

#include "program/pthread/endings.h"
#include "program/memory/heap.h"
#include "program/memory/reuse.h"

#include <string.h>

/* Nobody waits for what is destroyed: that is an error, which comes to light when it is used. */
static bool is_positive(const uint32_t *semaphore)
{
    return *semaphore > 0 || (int32_t)semaphore[1] == MZ__DESTROYED;
}

static bool holds(mz__guard guard, const mz__pending *p, const mz__thread *thread)
{
    const void *object = (const void *)p->address;
    switch (guard) {
    case MZ__FREE:
    case MZ__SECTION:
    case MZ__SECTION_CHANGED:
        return true;
    case MZ__MUTEX_FREE:
        return mz__is_free(object);
    case MZ__MUTEX_CHANGED:
        return mz__is_free(object) && mz__has_changed(thread);
    case MZ__SPIN_FREE:
        return *(const int32_t *)object == 0 || *(const int32_t *)object == MZ__DESTROYED;
    case MZ__POSITIVE:
        return is_positive(object);
    case MZ__READABLE:
        return mz__is_readable(object);
    case MZ__WRITABLE:
        return mz__is_writable(object);
    case MZ__ONCE_SETTLED:
        return *(const int32_t *)object != 1;
    case MZ__ONCE_NEW:
        return *(const int32_t *)object == 0;
    case MZ__SEMAPHORE_OR_CANCEL:
        return is_positive(object) || mz__is_cancelled(thread);
    case MZ__SIGNAL_OR_CANCEL:
        return thread->rare.waits_for == 0 || mz__is_cancelled(thread);
    case MZ__ENDED_OR_CANCEL:
        return mz__w.threads[p->joins].returned || mz__is_cancelled(thread);
    case MZ__SIGNAL_THERE:
        return mz__signal_is_there(thread);
    case MZ__UNSIGNALLED:
        return thread->rare.waits_for != 0;
    case MZ__OFFERED:
        return mz__heap_is_offered(MZ__BLOCK_OF_NAME(p->address), p->expected[0]);
    case MZ__EQUAL:
        return mz__is_as_expected(p);
    case MZ__CHANGED:
        return mz__has_changed(thread);
    case MZ__NOT_IN_VAIN:
        return mz__is_not_in_vain(p);
    case MZ__WOKEN:
        return false;
    }
    return true;
}

bool mz__guard_holds(const mz__pending *p, const mz__thread *thread)
{
    return holds(p->guard, p, thread);
}

bool mz__condition_holds(const mz__pending *p, const mz__thread *thread)
{
    return holds(p->condition, p, thread);
}

static uint32_t spin_holder(const int32_t *lock)
{
    return *lock > 0 ? (uint32_t)*lock : 0;
}

uint32_t mz__holder_of(const mz__pending *p)
{
    const void *object = (const void *)p->address;
    return p->guard == MZ__MUTEX_FREE  ? (uint32_t)((const mz__mutex *)object)->owner
           : p->guard == MZ__SPIN_FREE ? spin_holder(object)
           : p->guard == MZ__READABLE || p->guard == MZ__WRITABLE ? ((const mz__rwlock *)object)->writer
                                                                  : 0;
}

bool mz__will_never_go_on(const mz__thread *t)
{
    for (uint32_t i = 0; i < MZ_MAX_THREADS && t->life == MZ__ALIVE; i++) {
        uint32_t holder = mz__holder_of(&t->pending);
        if (!holder)
            return false;
        t = &mz__w.threads[holder - 1];
    }
    return t->life != MZ__CUT; /* which may give it back some day */
}

void mz__describe_holder(const mz__pending *p, uint32_t thread, mz_text *out)
{
    const void *object = (const void *)p->address;
    uint32_t holder = mz__holder_of(p);
    if (holder == thread + 1)
        mz_text_add(out, ", which it holds itself");
    else if (holder > 0)
        mz_text_add(out, ", held by thread %u", holder - 1);
    else if (p->guard == MZ__READABLE)
        mz_text_add(out, ", where writers come first and one waits");
    else if (p->guard == MZ__WRITABLE)
        mz_text_add(out, ", which has %u reader%s", ((const mz__rwlock *)object)->readers,
                    ((const mz__rwlock *)object)->readers == 1 ? "" : "s");
}

/* Somebody can see whether a mutex is held, other than by waiting for it: then taking and giving it leaves a
 * trace after all, and it is not free just because its holder has not given it. */
void mz__watch_mutex(uint32_t cell)
{
    if (mz__w.state.thread_count <= 1 || mz__w.cells[cell].watched)
        return;
    mz__w.cells[cell].watched = true;
    mz__learned();
}

uint32_t mz__find_object_cell(const void *object, size_t size)
{
    uint32_t cell;
    mz__check_operand((uintptr_t)object, size, true);
    for (size_t part = 0; part < size; part += sizeof(uint64_t))
        mz__is_own_only((uintptr_t)object + part);
    mz__cells_of((uintptr_t)object, MZ__OBJECT_SIZE, true, &cell);
    bool variable = (uintptr_t)object - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image;
    if (variable && mz__w.cells[cell].object && mz__w.cells[cell].there < size)
        mz__w.cells[cell].there = (uint8_t)size;
    return cell;
}

/* ---- never initialised -----------------------------------------------------------------------------------
 *
 * Memory that nobody has written is zero here, as that of static objects is: an object there looks as if it
 * had been initialised. Outside of the checker anything may be there. So the first time such an object is
 * used, in a block that malloc() has made, its word is remembered, and from then on it is known of each
 * execution whether it was written. A stack holds what nobody can take for an object where its thread has not
 * been yet (mz__create_thread()); what earlier functions have left there is not looked at. */

void mz__object_is_set(uintptr_t address)
{
    mz__shadow *shadow = mz__shadow_of(address);
    if (shadow->more & MZ__WORD_IS_SET)
        return;
    mz__touch(shadow, sizeof *shadow);
    shadow->more |= MZ__WORD_IS_SET;
}

/* Blocks that are older than main hold what is ours, or what constructors have made. */
static bool was_given(uintptr_t word)
{
    mz__block block;
    return word < MZ__ARENA + mz__w.initial_heap || !mz__heap_find(word, &block) || block.zeroed;
}

static bool is_never_set(uintptr_t word)
{
    const mz__shadow *shadow = mz__shadow_of(word);
    if (word - MZ__ARENA >= MZ__HEAPS || (shadow->more & MZ__WORD_IS_SET))
        return false;
    if (mz__w.base.has_boundaries || mz__w.reuses > 0) /* whoever has written there meant another block */
        return false;
    if (shadow->more & MZ__WORD_IS_OBJECT)
        return !was_given(word);
    if (was_given(word))
        mz__object_is_set(word);
    else
        mz__remember_word(word, MZ__WORD_IS_OBJECT);
    return false;
}

void mz__look_at_object(const int32_t *state, const char *what)
{
    if (*state == MZ__DESTROYED)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a %s is used after it was destroyed", what);
    if (*state != 0 || is_never_set((uintptr_t)state & ~(uintptr_t)7))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a %s is used that was never initialised", what);
}

void mz__check_end(const int32_t *state, const char *what)
{
    if (*state == MZ__DESTROYED && mz__w.report_misuse)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a %s is destroyed that was destroyed before", what);
    mz__check_made(state, what);
}

/* Initialising and destroying an object is an operation on it, too. */
void mz__begin_change(const void *object, size_t size, const char *verb)
{
    uint32_t cell = mz__object_cell(object, size);
    mz__watch_mutex(cell);
    mz__begin_operation(mz__on_object(MZ_OP_UPDATE, MZ__FREE, object, cell, verb), false);
}

/* The calling thread changes an object of the program. */
void mz__change_object(void *object, size_t size)
{
    mz__touch(object, size);
    mz__made_progress();
}

uint32_t mz__waiting_for(uintptr_t object, uint32_t *who)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life == MZ__ALIVE && mz__w.threads[u].rare.waits_for == object)
            who[count++] = u;
    return count;
}
