#include "algo/graph/model.h"

uint32_t mz__rank_in_sight(const mz__graph *g, uint32_t slot, const uint32_t *past)
{
    uint32_t rank = 0;
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        const mz__event *event = &g->events[e];
        if (event->kind == MZ__F || event->slot != slot || past[event->thread] <= event->index)
            continue;
        uint32_t own = mz__rank(g, event->kind == MZ__R ? event->from : e);
        rank = own > rank ? own : rank;
    }
    return rank;
}

/* The event is the last of its thread: nothing comes after it but what is newer in mo than what it has read
 * or written. So there is a cycle iff something newer, or a read of something newer, comes before it. */
bool mz__is_coherent(const mz__graph *g, int32_t last, int order)
{
    const mz__event *event = &g->events[last];
    if (event->kind == MZ__F)
        return true;
    int32_t own = event->kind == MZ__R ? event->from : last;
    return own == g->slots[event->slot].newest ||
           mz__rank_in_sight(g, event->slot, mz__clock_of(g, last, order)) <= mz__rank(g, own);
}
