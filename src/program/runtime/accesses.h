/* Plain accesses (accesses.c). */
#ifndef MZ_PROGRAM_RUNTIME_ACCESSES_H
#define MZ_PROGRAM_RUNTIME_ACCESSES_H

#include "program/world/world.h"

/* Some plain accesses are events: others may come in between those of a function that makes several. */
static inline bool mz__plain_may_be_events(void)
{
    return mz__w.special_word_count > mz__w.object_word_count || mz__w.plain_events;
}
/* By the program itself, or by a library function in its name. */
void mz__plain_access(uintptr_t address, size_t size, bool writes);
/* The compiler's code does so. */
void mz__compiled_access(uintptr_t address, size_t size, bool writes);
/* It is about to read or write it as a whole, with the orders that the processor gives that (atomics.c). */
void mz__whole_load(uintptr_t address, uint32_t size);
void mz__whole_store(uintptr_t address, uint32_t size);
/* When the program is loaded (volatile.c). */
void mz__name_volatile_hooks(void);
/* Accesses that the compiler does not announce, or too soon, are found in the code (unhooked.c). */
#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
enum { MZ__SEES_MACHINE_CODE = true };
#else
enum { MZ__SEES_MACHINE_CODE = false };
#endif
/* A write after which the bytes are not to be accessed any more: unlike others it tells which write came
 * before it, because that one must not come later. */
void mz__last_access(uintptr_t address, size_t size);
/* Before an operation on these bytes is prepared: are they there? */
void mz__check_operand(uintptr_t address, size_t size, bool writes);
/* Has nobody but its thread ever touched this stack or heap? Every access by others must ask. */
bool mz__is_own_only(uintptr_t address);
/* Before memory of the program is written: on the trail with it. The first also counts as progress. */
void mz__before_write(uintptr_t address, size_t size);
void mz__before_write_quietly(uintptr_t address, size_t size);

#endif
