#include "algo/graph/model.h"

/* The event is the last of its thread: nothing comes after it but what is newer in mo than what it has read
 * or written. So there is a cycle iff something newer, or a read of something newer, comes before it. */
bool mz__is_coherent(const mz__graph *g, int32_t last, int order)
{
    const mz__event *event = &g->events[last];
    if (event->kind == MZ__F)
        return true;
    int32_t own = event->kind == MZ__R ? event->from : last;
    if (own == g->slots[event->slot].newest)
        return true;
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        const mz__event *other = &g->events[e];
        if (other->kind == MZ__F || other->slot != event->slot || e == last ||
            !mz__comes_before(g, order, e, last))
            continue;
        if (mz__is_newer(g, event->slot, other->kind == MZ__R ? other->from : e, own))
            return false;
    }
    return true;
}
