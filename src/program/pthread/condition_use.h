/* Condition variables that are used in ways which often go wrong (condition_use.c). */
#ifndef MZ_PROGRAM_PTHREAD_CONDITION_USE_H
#define MZ_PROGRAM_PTHREAD_CONDITION_USE_H

#include "program/world/world.h"

/* Waits that were met, in all executions: by the condition variable, and by the place. */
enum { MZ__CONDITIONS = 64 };
typedef struct mz__condition_use {
    uintptr_t condition, mutex;
} mz__condition_use;
extern mz__condition_use mz__condition_uses[MZ__CONDITIONS];
extern uintptr_t mz__wait_places[MZ__CONDITIONS];

static inline size_t mz__condition_slot(uintptr_t number)
{
    return number / 8 % MZ__CONDITIONS;
}

void mz__meet_wait(uintptr_t condition);
/* The running thread, which holds the mutex, is about to wait, with no time limit. */
static inline void mz__note_wait(const void *condition, const void *mutex)
{
    uintptr_t c = (uintptr_t)condition, pc = mz__caller.pc;
    mz__condition_uses[mz__condition_slot(c)] = (mz__condition_use){c, (uintptr_t)mutex};
    if (mz__wait_places[pc % MZ__CONDITIONS] != pc)
        mz__meet_wait(c);
}

void mz__meet_signal(uintptr_t condition, uintptr_t mutex);
/* The running thread signals. It most often holds the mutex with which others wait. */
static inline void mz__note_signal(const void *condition)
{
    const mz__condition_use *use = &mz__condition_uses[mz__condition_slot((uintptr_t)condition)];
    const mz__thread *t = mz__w.current;
    if (use->condition == (uintptr_t)condition &&
        !(t->held_last && t->holds[t->held_last].object == use->mutex))
        mz__meet_signal(use->condition, use->mutex);
}

#endif
