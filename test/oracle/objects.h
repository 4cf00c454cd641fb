/* Random programs on synchronisation objects, as a machine of their own: read-write locks, semaphores,
 * barriers, mutexes, and variables that are read, written and added to. Models have no such objects, and C
 * programs take long: here thousands can be compared, with and without classes (machine/machine.h). */
#ifndef MZ_ORACLE_OBJECTS_H
#define MZ_ORACLE_OBJECTS_H

#include "machine/machine.h"

/* One of these, by its number. */
mz_machine *objects_generate(uint64_t seed);
void objects_write(const mz_machine *machine, mz_text *out);

#endif
