/* Fibers take turns (turns.c), or stay for a stretch of steps (stretch.c). */
#ifndef MZ_PROGRAM_WORLD_TURNS_H
#define MZ_PROGRAM_WORLD_TURNS_H

#include "program/world/world.h"

/* It stops for good. */
void mz__stop(mz__life life) __attribute__((noreturn));
/* The same because the execution is not to be followed any further: it does not count. */
void mz__prune(void) __attribute__((noreturn));
/* The same because it is not followed any further, though it would go on: it waits for nothing. */
void mz__cut(void) __attribute__((noreturn));
void mz__call_program(void (*function)(void));
/* It is about to return from a function whose frame lies at sp. */
void mz__save_more_stack(mz__thread *thread, uintptr_t sp);
/* Its record is about to be changed by another thread. */
void mz__change_thread(mz__thread *thread);
/* What a step may change of it: the trail brings it back. */
void mz__save_record(mz__thread *thread);
/* The thread as a whole, once per step. */
void mz__save_thread(mz__thread *thread);
void mz__run_fiber(mz__thread *thread);

/* The running thread has come to an operation, or to its end. */
static inline void mz__note_place(mz__thread *t)
{
    mz__w.pulse++;
    t->pc = mz__caller.pc;
    t->entry_sp = mz__caller.sp;
    t->frame_pointer = mz__caller.preserved[MZ__FRAME_POINTER];
}

/* The thread goes on in its hook; others may have called hooks since it was there. */
static inline void mz__come_back(void)
{
    const mz__thread *t = mz__w.current;
    mz__caller.pc = t->pc;
    mz__caller.sp = t->entry_sp;
}

/* Back to the scheduler; returns when the thread is resumed. */
static inline __attribute__((always_inline)) void mz__leave_fiber(void)
{
    mz__thread *t = mz__w.current;
    mz__note_place(t);
    mz__leave(&t->sp, mz__scheduler_sp);
    mz__come_back();
}

/* Stretches (stretch.c): the running thread, with what it has prepared, is the next one in any case. Then
 * this is a step of its own, but the thread stays in its fiber. False if it has to leave. */
bool mz__may_stay(const mz__thread *thread);
bool mz__stay(mz__thread *thread); /* without being saved; if it may */
void mz__take_step(void);
static inline __attribute__((always_inline)) bool mz__goes_on(mz__thread *t)
{
    const mz_machine *machine = &mz__w.base;
    uint32_t count = machine->further_count;
    bool alone = mz_threads_equal(mz__w.state.status.ready, mz_threads_of(t->number));
    if (count < machine->together || (count < machine->most_further && alone))
        return mz__stay(t);
    if (count >= machine->goes_on || !mz__may_stay(t))
        return false;
    mz__note_place(t);
    mz__call_as_left(&t->sp, mz__take_step);
    mz__come_back();
    return true;
}

#endif
