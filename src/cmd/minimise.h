/* Fewer constraints for a plan: a constraint set of which nothing can be left out (enforce/minimise.h), each
 * candidate verified by exploring the program under it. For the worker of verify.h. */
#ifndef MZ_CMD_MINIMISE_H
#define MZ_CMD_MINIMISE_H

#include "cmd/settings.h"
#include "enforce/plan.h"

typedef struct mz_minimised {
    bool tried;
    bool has_set;    /* the plan is a constraint set now, or nothing is constrained */
    bool is_minimal; /* no constraint of it can be left out; false: the time was up */
    uint32_t before; /* constraints at first */
    uint32_t after;
    uint64_t trials, traces; /* sets that were looked at; traces of the one that was kept */
    char reason[256];        /* why there is no set */
} mz_minimised;

/* The plan has all events of its trace. deadline: as of mz_seconds_now(); 0: none. */
void mz_minimise_plan(const mz_settings *settings, mz_machine *machine, mz_plan *plan, double deadline,
                      mz_minimised *result);

#endif
