/* Under weak memory: all writes of each location, in modification order (writes.c). */
#ifndef MZ_PROGRAM_ORDER_WRITES_H
#define MZ_PROGRAM_ORDER_WRITES_H

#include "program/world/world.h"

/* How far back the write stands that the running thread's operation reads, or how many come behind the one
 * that it makes: as it is told (mz_machine.weak). */
uint32_t mz__choose_write(uint32_t cell);
/* The value of the write that stands so far back. */
void mz__value_of_write(uint32_t cell, uintptr_t address, uint32_t size, uint32_t back, void *value);
/* The running thread reads from that one: what it acquires. */
void mz__reads_from(uint32_t cell, uint32_t back, bool acquires);
/* It makes a write with so many behind it. True if there are none: then memory is to have the value, too. */
bool mz__writes_at(uint32_t cell, uintptr_t address, uint32_t size, uint32_t back, const void *value,
                   bool releases, bool continues);
/* In this execution, has an event written one of these bytes, or is there an object that operations may have
 * changed? */
bool mz__was_written_by_event(uintptr_t address, size_t size);
/* A plain write that is an event: the last one. Its value will be in memory. */
void mz__writes_plainly(uint32_t cell, uintptr_t address, uint32_t size);

/* An operation on an object: its state before is kept, the new one will be in memory. */
void mz__changes_object(uint32_t cell, uintptr_t address);
/* Memory is as it was so far back (not 0) in the history of the object; with 0, as `state` has it again. */
enum { MZ__KEPT_OF_OBJECT = 16 };
void mz__exchange_state_of_object(uint32_t cell, uintptr_t address, uint32_t back, void *state);

/* What the last operation has read, or where its write stands, if that is not as one would expect; for
 * counterexamples. To be forgotten before the operation. True if it was told where to go. */
bool mz__describe_choice_of_write(mz_text *out);
void mz__forget_choice_of_write(void);

#endif
