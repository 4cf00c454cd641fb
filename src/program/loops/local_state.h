/* The local state of a thread when it comes to an operation (local_state.c). */
#ifndef MZ_PROGRAM_LOOPS_LOCAL_STATE_H
#define MZ_PROGRAM_LOOPS_LOCAL_STATE_H

#include "program/world/world.h"

uint64_t mz__hash_of_lower_stack(mz__thread *thread);

/* Of the running thread, with what it has prepared. A stack that is not deep is saved when the thread goes
 * on, as a whole: there is its copy, for the visits to come. (If others have written to it meanwhile, it is
 * what the thread went on with that counts.) */
static inline void mz__note_state(mz__thread *t, mz__visit *visit)
{
    visit->deep = visit->copy = visit->hash = 0;
    t->hashed_to = UINTPTR_MAX;
    if (MZ_UNLIKELY(!mz__saves_whole_stack(t, mz__caller.sp - sizeof(void *))))
        visit->deep = mz__hash_of_lower_stack(t);
    visit->address = t->pending.address;
    visit->kind = (uint8_t)t->pending.kind;
    visit->condition = (uint8_t)t->pending.condition;
    visit->held = t->held;
    visit->errno_value = *mz__w.errno_now;
    /* Last: the hook has stored them one by one, just now, and reading two at once would wait for that. */
    visit->registers = mz__caller;
}
/* The same with a hash of all its stack, where it comes to no operation. */
void mz__note_whole_state(const mz__thread *thread, mz__visit *visit);
/* `now`: the running thread, where it has just come to. */
bool mz__is_same_state(const mz__thread *thread, const mz__visit *then, const mz__visit *now);
/* Never 0. The stack stands so far from home; 0: it is as it was. */
uint64_t mz__hash_of_state(const mz__thread *thread, const mz__visit *visit, uintptr_t copy);

#endif
