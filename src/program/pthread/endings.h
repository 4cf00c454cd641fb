/* How a thread ends, by itself or because another one cancels it, and what happens on the way: cleanup
 * handlers (cleanup.c), destructors of thread-specific data (thread_data.c), mutexes whose owner dies
 * (robust.c). */
#ifndef MZ_PROGRAM_PTHREAD_ENDINGS_H
#define MZ_PROGRAM_PTHREAD_ENDINGS_H

#include <pthread.h>

#include "program/world/object_states.h"
#include "program/world/world.h"

/* The running thread ends as by pthread_exit: cleanup handlers first. From a hook only. */
void mz__exit_thread(void *result) __attribute__((noreturn));
/* It ends after its cleanup handlers: on the program's stack, because destructors are code of the program. */
void mz__end_thread(void) __attribute__((noreturn));
void mz__run_destructors(void);
/* The thread's values of its keys, and our own records of keys (thread_data.c). */
void mz__for_each_value(uint32_t thread, void (*visit)(uintptr_t value));
void mz__for_each_key(void (*visit)(uintptr_t record));
void mz__abandon_mutexes(void);
void mz__abandon_mutex(mz__mutex *mutex);

/* ---- cancellation (cancel.c) ---------------------------------------------------------------------------
 */

/* Is anybody ever cancelled, and may it be the running thread, now? */
static inline bool mz__may_be_cancelled(void)
{
    return mz__w.cancellation_used && !mz__w.current->cold.uncancellable;
}
/* If it is to end, it does so here. `polls`: a loop around this may wait for something (spin.c), as it may
 * not where the call gives up a mutex right after. */
void mz__test_cancel(const char *verb, bool polls);
/* The end of a thread as what the running one is about to look at, or to bring about. */
mz__pending *mz__on_end(uint32_t thread, mz_operation_kind kind, const char *verb);
/* The running thread is about to end: who watches that is to notice. */
void mz__announce_end(void);
/* The operation that is described also looks at that. */
void mz__look_for_cancel(mz__pending *pending);
/* It ends because of that. */
void mz__obey_cancel(void) __attribute__((noreturn));
void mz__fail_without_thread(pthread_t handle);
/* Inline: joins ask for it in every execution. */
static inline mz__thread *mz__thread_of(pthread_t handle)
{
    uintptr_t number = (uintptr_t)handle - 1;
    if (MZ_UNLIKELY(number >= mz__w.state.thread_count || mz__w.threads[number].life == MZ__UNBORN))
        mz__fail_without_thread(handle);
    return &mz__w.threads[number];
}
/* It waits until the other one has ended, or ends itself. */
void mz__await_end_or_cancel(mz__thread *thread, const char *verb);

/* A robust mutex was taken: what the call is to return. About to be given back. */
int mz__took_robust(mz__mutex *mutex);
void mz__gives_robust(mz__mutex *mutex);

#endif
