/* From the first trace of a search to the constraints that keep a program within what is verified. */
#ifndef MZ_SAFE_PLAN_EXTRACT_H
#define MZ_SAFE_PLAN_EXTRACT_H

#include "machine/execution.h"
#include "safe/plan/plan.h"

typedef struct mz_extraction {
    /* A longer prefix cannot be enforced, for the reason given (|T|: all can). */
    uint32_t deepest;
    mz_text obstacle;
} mz_extraction;

/* Fills in the plan's threads (but not how they came about), its events and waits, the inputs that are read,
 * what it counts (plain accesses if it is asked to already, or if some are events), and its prefix, which is
 * all of T. T is the execution; it is run again, from the reset, to ask for names: false if it does something
 * else then. The plan is for one valuation of the inputs that are read in the first `fixed` events, and for
 * any of those that are read later, before which the prefix has to end. With `words`, events are described
 * for people. Uses the machine, which is at the end of T afterwards. */
bool mz_plan_extract(mz_plan *plan, mz_extraction *extraction, mz_machine *machine, const mz_execution *trace,
                     uint32_t fixed, bool words);
void mz_extraction_release(mz_extraction *extraction);

#endif
