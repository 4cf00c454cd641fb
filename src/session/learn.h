/* A program is not known before it has run: which memory its threads share, where cells are to be split, what
 * races. Whatever looks at its executions may come across something new (mz_machine: begin_again); then what
 * it has found so far is worth nothing, and it begins anew. This is the one place where that is done. */
#ifndef MZ_SESSION_LEARN_H
#define MZ_SESSION_LEARN_H

#include "machine/machine.h"

/* Looks at executions of the machine; true if it is to be done again. */
typedef bool mz_attempt(void *context);

/* Attempts until one has taught nothing new. Each begins with a machine that is prepared (mz_native_prepare;
 * NULL for models), but the first only if it is not already. */
void mz_learn(mz_machine *machine, void (*prepare)(mz_machine *machine), bool is_prepared,
              mz_attempt *attempt, void *context);

#endif
