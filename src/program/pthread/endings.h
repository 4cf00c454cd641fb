/* How a thread ends, by itself or because another one cancels it, and what happens on the way: cleanup
 * handlers (cleanup.c), destructors of thread-specific data (thread_data.c), mutexes whose owner dies
 * (robust.c). */
#ifndef MZ_PROGRAM_PTHREAD_ENDINGS_H
#define MZ_PROGRAM_PTHREAD_ENDINGS_H

#include <pthread.h>

#include "program/memory/reuse.h"
#include "program/pthread/sync.h"

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

static inline bool mz__is_cancelled(const mz__thread *thread)
{
    return thread->rare.cancelled && !thread->rare.uncancellable;
}
/* Is anybody ever cancelled, and may it be the running thread, now? */
static inline bool mz__may_be_cancelled(void)
{
    return mz__w.cancellation_used && !mz__w.current->rare.uncancellable;
}
/* If it is to end, it does so here. `polls`: a loop around this may wait for something (spin.c), as it may
 * not where the call gives up a mutex right after. */
void mz__test_cancel(const char *verb, bool polls);
/* Some locations are names only, and there is no memory: the far end of a thread's stack, where nothing
 * lives, or a block that may be used again. */
static inline bool mz__is_only_a_name(uintptr_t address)
{
    uintptr_t offset = address - MZ__STACK_BASE(0);
    if (address != MZ__BLOCK_OF_NAME(address))
        return true;
    return offset < MZ_MAX_THREADS * MZ__STACK_BYTES && offset % MZ__STACK_BYTES < 64;
}
/* What happens to signals (signals.c): of the first thread only. */
enum { MZ__SIGNALS_NAME = 24 };
/* What the senders of a signal publish, those with the same number modulo that of threads together. */
enum { MZ__SENDERS_NAME = 48 };
/* What is in a file (libc_files.c), those with the same number modulo that of threads together; and which
 * names there are, of the first thread only. */
enum { MZ__FILE_NAME = 32, MZ__NAMES_NAME = 40 };
/* Who waits for words of memory (futex.c), those whose addresses have the same hash together. */
enum { MZ__QUEUE_NAME = 16 };
/* That a thread has ended is a location of its own, too, once somebody asks without waiting (timed.c). */
static inline uintptr_t mz__end_of(uint32_t thread)
{
    return MZ__STACK_BASE(thread) + 8;
}
/* The running thread is about to end: who watches that is to notice. */
void mz__announce_end(void);
/* The operation that is described also looks at that. */
void mz__look_for_cancel(mz__pending *pending);
/* It ends because of that. */
void mz__obey_cancel(void) __attribute__((noreturn));
mz__thread *mz__thread_of(pthread_t handle);
/* It waits until the other one has ended, or ends itself. */
void mz__await_end_or_cancel(mz__thread *thread, const char *verb);

/* A robust mutex was taken: what the call is to return. About to be given back. */
int mz__took_robust(mz__mutex *mutex);
void mz__gives_robust(mz__mutex *mutex);

#endif
