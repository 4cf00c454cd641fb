/* When an operation that may have to wait can happen (guards.c). */
#ifndef MZ_PROGRAM_RUNTIME_GUARDS_H
#define MZ_PROGRAM_RUNTIME_GUARDS_H

#include "program/world/world.h"

/* Is it to be cancelled, and may it be? */
static inline bool mz__is_cancelled(const mz__thread *thread)
{
    return thread->cold.cancelled && !thread->cold.uncancellable;
}
/* Has a signal come that the thread waits for? (signals.c) */
static inline bool mz__signal_is_there(const mz__thread *thread)
{
    return (thread->cold.pending | mz__w.signals_pending) & thread->cold.awaits;
}

/* Could the operation happen now? */
bool mz__guard_holds(const mz__pending *pending, const mz__thread *thread);

/* Would it write? */
bool mz__condition_holds(const mz__pending *pending, const mz__thread *thread);

/* The thread + 1 that holds the lock for which it waits; 0: it waits for something else, or for readers. */
uint32_t mz__holder_of(const mz__pending *pending);
/* It waits for a lock whose holder has ended, or waits for a lock, and so on in a circle. */
bool mz__will_never_go_on(const mz__thread *thread);
/* "…, held by thread 1" */
void mz__describe_holder(const mz__pending *pending, uint32_t thread, mz_text *out);
/* Who waits for ever, whatever becomes of threads that were left: none, where an assumption does not hold. */
mz_threads mz__locked_for_ever(const mz_machine *machine);

#endif
