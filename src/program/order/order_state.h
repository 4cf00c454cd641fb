/* What happens-before still decides (order_state.c). */
#ifndef MZ_PROGRAM_ORDER_ORDER_STATE_H
#define MZ_PROGRAM_ORDER_ORDER_STATE_H

#include "program/world/world.h"

/* Records of who has touched what, as they are found on the trail: these bytes are a part of them. */
bool mz__is_order_record(uintptr_t address);
void mz__note_order_record(uintptr_t address);

/* Whoever uses a freed block is told that it is freed, and of nothing else: what has become of the block
 * before is of no interest. */
bool mz__forgets_freed_blocks(void);

/* Two states with the same hash go on alike as far as the order of what was done so far goes: the same
 * accesses race, and the same threads are alone. */
mz_hash mz__hash_of_order(void);

#endif
