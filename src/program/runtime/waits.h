/* Operations that cannot happen now are accesses all the same (waits.c). */
#ifndef MZ_PROGRAM_RUNTIME_WAITS_H
#define MZ_PROGRAM_RUNTIME_WAITS_H

#include "program/world/world.h"

/* The operation of this thread, which does not run, cannot happen from now on. */
void mz__begins_to_wait(mz__thread *thread);
/* The same, if it cannot happen yet, for a thread that has just been given this operation by a signal. */
void mz__begins_to_wait_after(mz__thread *thread, const mz__thread *signalling);
/* A section that is tried reads these bytes: if it turns out that it has to wait, that is what it looks at.
 */
void mz__note_tried_read(uintptr_t address, size_t size);
/* Another section is about to be tried. */
void mz__forget_tried_reads(void);

#endif
