/* Accesses to memory that is not there (memory_errors.c). */
#ifndef MZ_PROGRAM_ORDER_MEMORY_ERRORS_H
#define MZ_PROGRAM_ORDER_MEMORY_ERRORS_H

#include "program/world/world.h"

/* Check [address, address + size) for this access; reports and does not return if it is not there. */
void mz__check_memory(const volatile void *address, size_t size, bool writes, uintptr_t pc);

#endif
