/* Rounds in vain are not made (rounds.c). */
#ifndef MZ_PROGRAM_LOOPS_ROUNDS_H
#define MZ_PROGRAM_LOOPS_ROUNDS_H

#include "program/world/world.h"

/* The running thread has come from the last of its visits to `now`, which is as `then` was, and nothing has
 * happened: the operation of that last visit will be looked at from now on. False if it is looked at already,
 * or cannot be. */
bool mz__learn_closing(mz__thread *thread, const mz__visit *then);
/* The running thread is about to perform an operation at a place where rounds are known to close. */
void mz__guard_closing(mz__thread *thread, const mz__visit *now);
/* A thread that is tried has come to its next operation. */
void mz__arrive_in_trial(mz__thread *thread, const mz__visit *now);

/* Its pending operation, executed now, would not close a round in vain. */
bool mz__is_not_in_vain(mz__thread *thread);
/* If it would: has it been tried just now, and has that looked at plain data that others may write? */
bool mz__trial_looks(void);

/* A trial: the thread goes on, operation by operation, which are no steps for anybody; then all is taken
 * back. */
typedef struct mz__before_trial {
    mz__mark mark;
    uint32_t woken;
    mz_choices *choices;
    mz_operation *executed;
    mz_access *into;
    bool in_operation;
} mz__before_trial;
void mz__begin_trial(const mz__thread *thread, mz__before_trial *before);
void mz__run_in_trial(mz__thread *thread); /* up to its next operation: mz__w.trial says what came of it */
void mz__end_trial(const mz__before_trial *before);

static inline uint64_t mz__closing_bit(uintptr_t pc)
{
    return UINT64_C(1) << (pc * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

#endif
