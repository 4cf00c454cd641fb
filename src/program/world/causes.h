/* What an operation comes after, and who is alone (causes.c). */
#ifndef MZ_PROGRAM_WORLD_CAUSES_H
#define MZ_PROGRAM_WORLD_CAUSES_H

#include "program/world/world.h"

/* Every other thread is over, and all it did comes before us. */
bool mz__alone(void);
/* The same, and nobody asks for events then. */
bool mz__unnoticed(void);

void mz__wake(uint32_t thread);
void mz__add_cause(mz__thread *thread, uint32_t other, uint32_t index);
uint32_t mz__list_causes(const mz__thread *thread, mz_cause *causes);
void mz__inherit_causes(mz__thread *to, const mz__thread *from);

#endif
