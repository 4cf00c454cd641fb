/* What a machine with weak memory tells (mz_machine.weak). */
#ifndef MZ_PROGRAM_MACHINE_WEAK_H
#define MZ_PROGRAM_MACHINE_WEAK_H

#include "machine/machine.h"
#include "program/world/thread.h"

/* Of an operation on an object: which orders it has, and what kind of object it is. */
void mz__add_orders(const mz__thread *thread, mz_operation *operation);
/* As in mz_machine_class. */
bool mz__would_write_from(mz_machine *machine, uint32_t thread, uint32_t back);
bool mz__describe_weakness(mz_machine *machine, bool before, mz_text *out);
/* Before the search: may the search over graphs have events for it (algo/graph)? If not, that is for sure. */
bool mz__has_events(const mz_operation *executed);

#endif
