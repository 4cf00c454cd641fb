/* States to come back to, of machines that have snapshots and of those that take steps back. */
#ifndef MZ_ORACLE_STATES_H
#define MZ_ORACLE_STATES_H

#include "base/memory.h"
#include "machine/machine.h"

/* Runs are walked recursively. A longer one is too large: it waits in a loop whose rounds a plan counts. */
enum { DEEPEST_RUN = 2000 };

/* To be released; NULL if the machine takes steps back. */
static inline char *state_save(const mz_machine *machine)
{
    if (!machine->class->save)
        return NULL;
    char *state = mz_allocate(machine->snapshot_bytes);
    machine->class->save(machine, state);
    return state;
}

/* To what was saved when so many steps had been done. */
static inline void state_restore(mz_machine *machine, const char *state, size_t steps)
{
    if (state)
        machine->class->restore(machine, state);
    else
        machine->class->rewind(machine, steps);
}

#endif
