/* What was learned about a program (learning.c). */
#ifndef MZ_PROGRAM_WORLD_LEARNING_H
#define MZ_PROGRAM_WORLD_LEARNING_H

#include "program/world/world.h"

/* Something was learned that the search so far did not know. */
void mz__learned(void);
void mz__begin_again(void);
void mz__forget_known_steps(void);

/* What is known of a mutex, the operations on which are LOCK and UNLOCK: who has locked it keeps it until he
 * unlocks it, and others wait. That is no longer so when somebody can see whether it is held, other than by
 * waiting for it; when it is written to as plain memory, or freed; and when one of these operations fails
 * (which is one of the thread's at this place). Then taking and giving it are operations as others are. */
void mz__watch_mutex(uint32_t cell);
void mz__lock_may_have_failed(uintptr_t pc);

/* It does something that others can notice. */
void mz__was_deferred_wrongly(mz__thread *thread);
static inline void mz__is_noticed(mz__thread *thread)
{
    if (thread->deferred)
        mz__was_deferred_wrongly(thread);
}
/* The frame of the running function reaches from its stack pointer at least to that of its caller: how large
 * frames are decides how much of a stack is looked at. */
void mz__note_large_frame(uintptr_t size);
static inline bool mz__has_large_frame(const mz__thread *thread)
{
    enum { OF_INTEREST = 8192 };
    return thread->body_sp - mz__caller.sp > OF_INTEREST;
}
static inline void mz__note_frame(const mz__thread *thread)
{
    if (mz__has_large_frame(thread))
        mz__note_large_frame(thread->body_sp - mz__caller.sp);
}

/* Others know of what lies on its stack. Then the program asks us about its own frames, too. */
void mz__share_stack(uint32_t owner);
extern bool __tsan_shared_frames;
/* They touch this word of it. */
void mz__add_foreign_word(uint32_t owner, uintptr_t address);
/* The order of accesses within an instruction or a copy matters: both hooks of the compile step look at it.
 */
extern bool __tsan_exact;

#endif
