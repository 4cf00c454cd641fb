/* Does the program do the same when a schedule is repeated (repeat.c)? */
#ifndef MZ_PROGRAM_DESCRIBE_REPEAT_H
#define MZ_PROGRAM_DESCRIBE_REPEAT_H

#include "program/world/world.h"

/* Copy the program's variables; which one is not as it was then? */
void mz__keep_variables(mz_machine *machine);
bool mz__find_difference(mz_machine *machine, mz_text *name);

#endif
