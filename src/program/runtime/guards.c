/* When an operation that may have to wait can happen, and who keeps it from happening. */
#include "program/runtime/guards.h"
#include "program/loops/rounds.h"
#include "program/loops/spin.h"
#include "program/memory/heap.h"
#include "program/world/named_locations.h"
#include "program/world/object_states.h"
#include "program/world/world.h"

/* Nobody waits for what is destroyed: that is an error, which comes to light when it is used. */
static bool is_positive(const uint32_t *semaphore)
{
    return *semaphore > 0 || (int32_t)semaphore[1] == MZ__DESTROYED;
}

static bool is_waited_for(uintptr_t object)
{
    bool found = false;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        found |= mz__w.threads[u].life == MZ__ALIVE && mz__w.threads[u].cold.waits_for == object;
    return found;
}

static bool holds(mz__guard guard, const mz__pending *p, const mz__thread *thread)
{
    const void *object = (const void *)p->address;
    switch (guard) {
    case MZ__FREE:
    case MZ__SIMPLE:
    case MZ__SECTION:
    case MZ__SECTION_CHANGED:
        return true;
    case MZ__MUTEX_FREE:
        return mz__is_free(object);
    case MZ__MUTEX_CHANGED:
        return !mz__w.base.weak && mz__is_free(object) && mz__has_changed(thread);
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
        return thread->cold.waits_for == 0 || mz__is_cancelled(thread);
    case MZ__ENDED_OR_CANCEL:
        return mz__w.threads[p->joins].returned || mz__is_cancelled(thread);
    case MZ__SIGNAL_THERE:
        return mz__signal_is_there(thread);
    case MZ__UNSIGNALLED:
        return thread->cold.waits_for != 0;
    case MZ__WAITED_FOR:
        return is_waited_for(p->address);
    case MZ__OFFERED:
        return mz__heap_is_offered(MZ__BLOCK_OF_NAME(p->address), p->expected[0]);
    case MZ__EQUAL:
        return mz__is_as_expected(p);
    case MZ__CHANGED: /* under weak memory, writes that come later revisit what it has read */
        return !mz__w.base.weak && mz__has_changed(thread);
    case MZ__NOT_IN_VAIN:
        return mz__is_not_in_vain(&mz__w.threads[thread->number]);
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
    uint32_t holder = mz__holder_of(p);
    if (holder == thread + 1)
        mz_text_add(out, ", which it holds itself");
    else if (holder > 0)
        mz_text_add(out, ", held by thread %u", holder - 1);
    else if (p->guard == MZ__READABLE)
        mz_text_add(out, ", where writers come first and one waits");
}

/* Where an assumption does not hold, the execution is none. */
mz_threads mz__locked_for_ever(const mz_machine *machine)
{
    mz_threads found = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(u, machine->status->pruned)
    {
        if (mz__w.threads[u].life != MZ__CUT)
            return MZ_NO_THREADS;
    }
    MZ_FOR_EACH_THREAD(u, machine->status->blocked)
    {
        if (mz__will_never_go_on(&mz__w.threads[u]))
            found |= mz_threads_of(u);
    }
    return found;
}
