/* Words for reports (describe.c, names.c): what the class of machine.h offers of them. */
#ifndef MZ_PROGRAM_DESCRIBE_DESCRIBE_H
#define MZ_PROGRAM_DESCRIBE_DESCRIBE_H

#include "program/runtime/world.h"

/* Where the thread waits for its turn: in the program's own code, if that is in a library. */
void mz__position_of_thread(const mz__thread *thread, mz_position *position);

void mz__describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position);
void mz__describe_wait(mz_machine *machine, uint32_t thread, mz_text *out);
void mz__describe_location(const mz_machine *machine, uint32_t location, mz_text *out);
/* Of an object the operation that was described last tells which kind it is. */
void mz__describe_value(const mz_machine *machine, uint32_t location, mz_text *out);


/* repeat.c: copy the program's variables; which one is not as it was then? */
void mz__keep_variables(mz_machine *machine);
bool mz__find_difference(mz_machine *machine, mz_text *name);

#endif
