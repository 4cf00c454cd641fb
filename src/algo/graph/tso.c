/* Total store order, as processors of the x86 family have it: a store may be delayed beyond later loads of
 * its thread, unless a fence or an update is between the two (Owens, Sarkar, Sewell, TPHOLs 2009). Two
 * conditions (Alglave, Maranget, Tautschnig, TOPLAS 2014, section 4): coherence of each location, and
 * ppo ∪ rfe ∪ mo ∪ fr is acyclic. ppo: po without write → read; rfe: rf between threads.
 *
 * Of the fences of the source, those that are seq_cst wait until the buffer is empty: for weaker ones
 * compilers emit no instruction, and a store is delayed beyond them, as beyond a choice. So do updates; a
 * compare-exchange that fails is a load. A seq_cst store stays in front of later seq_cst loads, as compilers
 * see to. What a thread has done before it creates another one, or ends, is done: creating and joining drain
 * the buffer. */
#include "algo/graph/model.h"
#include "algo/graph/relation.h"

static bool drains(const mz__event *event)
{
    return (event->kind == MZ__F && event->order == MZ_SEQ_CST) || event->is_update;
}

/* Those before it in its thread that stay so. The walk ends where the rest is before something that is. */
static void relate_po(mz__relation *r, const mz__graph *g, int32_t f)
{
    const mz__event *later = &g->events[f];
    for (int32_t e = later->before; e != MZ__NO_EVENT; e = g->events[e].before) {
        const mz__event *event = &g->events[e];
        bool may_overtake = event->kind == MZ__W && later->kind != MZ__W && !drains(event) && !drains(later);
        bool both_seq_cst = event->order == MZ_SEQ_CST && later->order == MZ_SEQ_CST;
        if (may_overtake && !both_seq_cst)
            continue;
        mz__relate(r, e, f);
        if (drains(event) || (event->kind == MZ__W && !may_overtake))
            return;
    }
}

static void relate_causes(mz__relation *r, const mz__graph *g, int32_t f)
{
    for (uint32_t t = 0; t < g->threads && g->events[f].cause_count > 0; t++) {
        int32_t cause = mz__cause_in(g, f, t);
        if (cause != MZ__NO_EVENT)
            mz__relate(r, cause, f);
        while (cause != MZ__NO_EVENT && g->events[cause].kind != MZ__W)
            cause = g->events[cause].before;
        if (cause != MZ__NO_EVENT)
            mz__relate(r, cause, f);
    }
}

static bool admits(mz__graph *g, int32_t last, mz__relation *r)
{
    if (!mz__is_coherent(g, last, MZ__BY_PO))
        return false;
    mz__relation_clear(r, g->count);
    mz__relate_communication(r, g, MZ__RF_OF_OTHERS);
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        relate_po(r, g, e);
        relate_causes(r, g, e);
    }
    return !mz__is_on_cycle(r, last);
}

const mz__memory_model mz__model_tso = {.name = "tso", .coherent_by = MZ__BY_PO, .admits = admits};
