/* Locations that are names only: there is no memory, but operations that conflict on them. */
#ifndef MZ_PROGRAM_WORLD_NAMED_LOCATIONS_H
#define MZ_PROGRAM_WORLD_NAMED_LOCATIONS_H

#include "program/world/world.h"

/* The location of a block is a name only: no address of a program looks like this. */
#define MZ__NAME_OF_BLOCK(block) ((block) | UINT64_C(1) << 62)
#define MZ__BLOCK_OF_NAME(name)  ((name) & ~(UINT64_C(1) << 62))

/* Some locations are names only, and there is no memory: the far end of a thread's stack, where nothing
 * lives, or a block that may be used again. */
static inline bool mz__is_only_a_name(uintptr_t address)
{
    uintptr_t offset = address - MZ__STACK_BASE(0);
    if (address != MZ__BLOCK_OF_NAME(address))
        return true;
    return offset < MZ_MAX_THREADS * MZ__STACK_BYTES && offset % MZ__STACK_BYTES < 64;
}
/* What happens to signals (signals.c): of the first thread only. */
enum { MZ__SIGNALS_NAME = 24 };
/* What the senders of a signal publish, those with the same number modulo that of threads together. */
enum { MZ__SENDERS_NAME = 48 };
/* What is in a file (libc_files.c), those with the same number modulo that of threads together; and which
 * names there are, of the first thread only. */
enum { MZ__FILE_NAME = 32, MZ__NAMES_NAME = 40 };
/* Who waits for words of memory (futex.c), those whose addresses have the same hash together. */
enum { MZ__QUEUE_NAME = 16 };
/* That a thread has ended is a location of its own, too, once somebody asks without waiting (timed.c). */
static inline uintptr_t mz__end_of(uint32_t thread)
{
    return MZ__STACK_BASE(thread) + 8;
}

#endif
