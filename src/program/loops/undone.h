/* What a waiting loop changes and takes back (undone.c). */
#ifndef MZ_PROGRAM_LOOPS_UNDONE_H
#define MZ_PROGRAM_LOOPS_UNDONE_H

#include "program/world/world.h"

/* From now on a round may have changed something, if nothing of it is left. Before the first runs, and with
 * false before the search, which knows by then whether there are such rounds. */
void mz__track_changes(bool in_first_runs);

/* The running thread's operation, on one cell, is about to write another value than is there. */
void mz__note_change(uint32_t size, const void *before, const void *after);
/* The thread accesses the cell: whoever has changed it has been seen now. An addition that does not look is
 * no such access: it tells what it has added. */
void mz__show_change(const mz__thread *thread, uint32_t cell);
void mz__show_addition(uint32_t size, uint64_t sum);

/* Since this visit, nothing is left of what the thread has changed, and nobody has seen it meanwhile. */
bool mz__is_undone(const mz__thread *thread, uint32_t visit);
/* The thread itself has changed something since then. */
bool mz__has_changed_since(const mz__thread *thread, uint32_t visit);

#endif
