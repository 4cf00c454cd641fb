#include "session/learn.h"

void mz_learn(mz_machine *machine, void (*prepare)(mz_machine *machine), bool is_prepared,
              mz_attempt *attempt, void *context)
{
    do {
        if (prepare && !is_prepared)
            prepare(machine);
        is_prepared = false;
    } while (attempt(context));
}
