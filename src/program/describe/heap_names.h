/* Names for blocks of the heap (heap_names.c). */
#ifndef MZ_PROGRAM_DESCRIBE_HEAP_NAMES_H
#define MZ_PROGRAM_DESCRIBE_HEAP_NAMES_H

#include "program/memory/heap.h"
#include "program/symbols/symbols.h"

/* "chan->r_mu", "pool->queue[2].next". A size of 0 means the innermost member. False: nothing is known. */
bool mz__name_in_block(const mz__block *block, uintptr_t address, size_t size, mz_text *out,
                       mz_value_type *kind);
/* Follow the pointers that there are now. Of the thread that ran last, those in registers are known, too. */
void mz__learn_heap_names(void);
/* The block as a whole: "node#1.3". */
bool mz__name_block(const mz__block *block, mz_text *out);

#endif
