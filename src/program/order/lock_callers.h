/* Who has called the functions that take locks, and who has posted semaphores (lock_callers.c): for reports.
 */
#ifndef MZ_PROGRAM_ORDER_LOCK_CALLERS_H
#define MZ_PROGRAM_ORDER_LOCK_CALLERS_H

#include "base/text.h"
#include "program/world/world.h"

/* An execution begins: of the one before nothing is told any more. */
void mz__begin_lock_callers(void);
/* The running thread has taken a lock at this place; 0: nobody is going to ask. */
uint32_t mz__note_taking(uintptr_t pc);
/* It gives back a lock that it has taken then. */
void mz__note_giving(uint32_t taking, uintptr_t pc);
/* ", called by put() queue.c:12 < worker() queue.c:30": if the function that has taken the lock, which the
 * thread holds or has held, is one that returns while the lock is held. */
void mz__add_callers(const mz__thread *thread, uint32_t taking, uintptr_t pc, mz_text *out);
/* The same for where a thread waits, if it does so in such a function. */
void mz__add_callers_of_wait(const mz__thread *thread, mz_text *out);

void mz__note_post(const void *semaphore);
/* ", which nobody has posted" and the like: of one that a thread waits for. */
void mz__add_posters(const void *semaphore, uint32_t thread, mz_text *out);

#endif
