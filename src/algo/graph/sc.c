/* Sequential consistency: po ∪ rf ∪ mo ∪ fr is acyclic (fr: from a read to the writes behind the one that it
 * has read from). Lamport's interleavings, as graphs. */
#include "algo/graph/model.h"
#include "algo/graph/relation.h"

static bool admits(mz__graph *g, int32_t last, mz__relation *r)
{
    mz__relation_clear(r, g->count);
    mz__relate_communication(r, g, MZ__ALL_RF);
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        if (g->events[e].before != MZ__NO_EVENT)
            mz__relate(r, g->events[e].before, e);
        for (uint32_t t = 0; t < g->threads && g->events[e].cause_count > 0; t++) {
            int32_t cause = mz__cause_in(g, e, t);
            if (cause != MZ__NO_EVENT)
                mz__relate(r, cause, e);
        }
    }
    return !mz__is_on_cycle(r, last);
}

const mz__memory_model mz__model_sc = {.name = "sc", .coherent_by = MZ__BY_RF, .admits = admits};
