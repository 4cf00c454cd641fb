/* Stretches: several steps of one thread, which stays in its fiber from one to the next. No stacks are
 * changed and nobody is asked in between; what each of the steps has done is noted as ever
 * (machine->further), and all that decides what the thread does next is the same as if it had left: what lies
 * below its stack, and what spin.c compares.
 *
 * An algorithm that follows a schedule knows that the thread is the next one again, though others are ready.
 * Then each step is one that can be gone back to: the thread is saved as if it had left (mz__take_step).
 *
 * While a thread is the only one that is ready there is nothing to choose, and nobody will ever want to go on
 * otherwise from a state in between; and an algorithm may tell that hardly anybody will. Then nothing of the
 * thread is saved there, and what it writes is saved once for all these steps. If somebody wants to look at a
 * state in between all the same, for what would have happened there, they are taken back as a whole, and gone
 * through again in single steps (mz__rewind). */
#include "program/world/object_states.h"
#include "program/world/progress.h"
#include "program/world/step.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* Nothing but its own operation has happened in this step: nobody is to be told, run or asked. */
static inline bool is_undisturbed(const mz__thread *t)
{
    return mz__w.woken_count == 0 && mz__w.base.failure_count == 0 && !mz__w.gave_up && !mz__w.was_pruned &&
           mz__w.choices->count == 0 && !mz_threads_any(mz__w.state.guarded & ~mz_threads_of(t->number));
}

static inline bool can_happen_now(const mz__pending *p)
{
    return p->guard == MZ__FREE || (p->guard == MZ__MUTEX_FREE && mz__is_free((const mz__mutex *)p->address));
}

/* For the visits to come: see mz__save_thread_once(). */
MZ_INLINE void keep_stack(mz__thread *t, uintptr_t sp)
{
    uintptr_t stack = mz__saved_from(sp);
    if (mz__may_be_spinning(t) && mz__saves_whole_stack(t, sp))
        t->visits[t->visit_count - 1].copy = (uintptr_t)mz__keep((void *)stack, t->stack_top - stack) - stack;
}

/* Is it on the stack of a hook, and not, as at the end of a thread, on that of the program itself? */
MZ_INLINE bool is_in_hook(const mz__thread *t)
{
    return (uintptr_t)&t->sp - (uintptr_t)__builtin_frame_address(0) < MZ__HOOK_STACK_BYTES;
}

bool mz__may_stay(const mz__thread *t)
{
    return is_in_hook(t) && is_undisturbed(t) && can_happen_now(&t->pending) && mz__is_one_access(t) &&
           mz__w.steps < mz__w.mark_capacity && mz__w.steps < mz__w.most_steps && !mz__w.tracks_changes;
}

MZ_VECTOR bool mz__stay(mz__thread *t)
{
    if (!mz__may_stay(t))
        return false;
    mz__note_place(t);
    mz__w.marks[mz__w.steps++].trail = MZ__IN_STRETCH | t->number;
    mz__count_step(t);
    mz__w.private_operations = 0;
    mz_further *further = &mz__w.further[mz__w.base.further_count++];
    mz__note_one_access(t, &further->operation, &further->access);
    uintptr_t sp = t->entry_sp - sizeof(void *);
    keep_stack(t, sp);
    mz__clear_below(sp);
    t->events++;
    return true;
}
