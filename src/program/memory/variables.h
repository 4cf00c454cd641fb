/* Where the program's variables with static storage end (variables.c). */
#ifndef MZ_PROGRAM_MEMORY_VARIABLES_H
#define MZ_PROGRAM_MEMORY_VARIABLES_H

#include "program/runtime/world.h"

/* When the program is loaded. */
void mz__find_gaps(void);
/* Does any of these bytes, in one word of the program's writable segments, belong to no variable? */
static inline bool mz__word_is_in_gap(uintptr_t address, size_t size)
{
    const mz__memory *m = &mz__w.memory;
    return m->image_gaps[(address - m->image) >> 3] & ((1u << size) - 1) << (address & 7);
}
/* Does one end of these bytes? An object that reaches from one variable to another is not what it seems, but
 * there. */
static inline bool mz__is_in_gap(uintptr_t address, size_t size)
{
    if (!mz__w.memory.image_gaps)
        return false;
    if ((address & 7) + size <= 8)
        return mz__word_is_in_gap(address, size);
    return mz__word_is_in_gap(address, 1) || mz__word_is_in_gap(address + size - 1, 1);
}
/* Where that byte is, in relation to the variables around it. */
void mz__describe_gap(uintptr_t address, mz_text *out);

#endif
