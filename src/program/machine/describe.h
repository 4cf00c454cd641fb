/* Words for reports (describe.c, names.c): what the class of machine.h offers of them. */
#ifndef MZ_PROGRAM_MACHINE_DESCRIBE_H
#define MZ_PROGRAM_MACHINE_DESCRIBE_H

#include "program/world/world.h"

void mz__describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position);
void mz__describe_wait(mz_machine *machine, uint32_t thread, mz_text *out);
void mz__describe_location(const mz_machine *machine, uint32_t location, mz_text *out);
/* Of an object the operation that was described last tells which kind it is. */
void mz__describe_value(const mz_machine *machine, uint32_t location, mz_text *out);
/* From now on that is the value after the operation of the next step, of these locations. */
void mz__watch_values(mz_machine *machine, const mz_access *accesses, uint32_t count);
/* Who was woken by the operation that was described last, and has happened meanwhile. */
void mz__describe_consequence(mz_machine *machine, mz_text *out);
void mz__describe_thread(mz_machine *machine, uint32_t thread, mz_text *out);

#endif
