/* Step 4 of realising, for few threads or few that share: no more choices than threads.
 *
 * After saturation, let the order be < and call w' and r *open* if r is to read from w, w' is another write
 * of the location, and w' and r are not ordered. If nothing is open, every sequence that keeps the order will
 * do: w < w' implies r < w', and w' < r implies w' < w. If something is, it is tried whether threads can be
 * given *leaders* such that everything is in order if of two unordered events, one of a thread and the other
 * of its leader, the leader's comes first. That is so in two cases.
 *
 * (1) All that is open has an event of one thread p, the leader of all others (two threads; stars). Let a ⇒ b
 * be such pairs that are put in order. If b < a' for some a' of p, a stands before a' in p: otherwise b < a,
 * and the two were ordered. So a cycle a ⇒ b < a' ⇒ b' < … < a would have the a's ever later in p: there is
 * none. And u < v holds only in the new order if u ≤ a ⇒ b ≤ v for some a, b. In w < w' < r, new both, let w'
 * be of p: w ≤ a ⇒ b ≤ w', thus a stands before w' in p, and w < w' is not new. Or let r be of p: w' ≤ a ⇒ b
 * ≤ r, and w' < r is not new.
 *
 * (2) Threads that have anything to do with each other form a forest (pipelines, trees), with leaders towards
 * the roots. A cycle of the new order can be taken to walk along the edges of the forest. Where it comes to
 * the thread c of it that is farthest from the root, it came from and goes to the leader p of c: a ⇒ b ≤ b' <
 * a'. As above, a stands before a', so that the cycle is there without c, too, and in the end in one thread
 * alone. The same shows that what is new between p and c leads from p to c; thus in w < w' < r, new both,
 * all in p and c, as others do not know the location, w' could be in neither.
 *
 * This takes polynomial time, and is why neither 2-SAT, with which the data-centric paper decides (2), nor
 * any search is needed there: unit propagation, which saturation is, leaves nothing to be decided. If open
 * pairs connect threads otherwise, deciding is NP-complete again. */
#include "algo/rf/realise_internal.h"

enum { NOBODY = MZ_MAX_THREADS };

/* ---- (1) ------------------------------------------------------------------------------------------------
 */

/* Does the thread have a write that the read is open with, among these? */
static bool is_open_with(const mz_realiser *r, const mz_touch *read, uint32_t first, uint32_t end)
{
    uint32_t thread = r->writes[first].thread;
    uint32_t before = mz__clock_of(r, read->node)[thread], after = mz__first_after(r, read->node, thread);
    for (uint32_t i = first; i < end && r->writes[i].index < after; i++)
        if (r->writes[i].index > before && r->writes[i].node != read->writer)
            return true;
    return false;
}

/* Of the threads, those that all open pairs have an event of. */
static mz_threads find_centers(const mz_realiser *r)
{
    mz_threads centers = MZ_ALL_THREADS;
    for (size_t i = 0; i < r->touch_count && mz_threads_any(centers); i++) {
        const mz_touch *touch = &r->touches[i];
        uint32_t own = r->nodes[touch->node].thread, end = r->first_write[touch->location + 1];
        if (!touch->reads)
            continue;
        for (uint32_t first = r->first_write[touch->location], next; first < end; first = next) {
            next = mz__end_of_thread(r, first, end);
            uint32_t other = r->writes[first].thread;
            mz_threads both = mz_threads_of(own) | mz_threads_of(other);
            if (other != own && mz_threads_any(centers & ~both) && is_open_with(r, touch, first, next))
                centers &= both;
        }
    }
    return centers;
}

static void lead_all(uint32_t *leaders, uint32_t center)
{
    for (uint32_t thread = 0; thread < MZ_MAX_THREADS; thread++)
        leaders[thread] = thread == center ? NOBODY : center;
}

/* ---- (2) ------------------------------------------------------------------------------------------------
 */

static void connect(mz_threads *neighbours, mz_threads users)
{
    MZ_FOR_EACH_THREAD(thread, users)
    {
        neighbours[thread] |= users & ~mz_threads_of(thread);
    }
}

/* Which threads have to do with each other, as far as the exploration has seen. */
static void find_neighbours(const mz_realiser *r, mz_threads *neighbours)
{
    const mz_execution *x = r->execution;
    for (size_t i = 0; i < r->observation->location_count; i++)
        connect(neighbours, r->observation->natures[i].users);
    for (uint32_t position = 0; position < x->length; position++)
        for (uint32_t i = 0; i < x->events[position].cause_count; i++)
            connect(neighbours, mz_threads_of(x->events[position].thread) |
                                    mz_threads_of(x->causes[x->events[position].first_cause + i].thread));
    for (uint32_t i = 0; i < r->addition_count; i++)
        for (uint32_t k = 0; k < r->additions[i].cause_count; k++)
            connect(neighbours,
                    mz_threads_of(r->additions[i].thread) | mz_threads_of(r->additions[i].causes[k].thread));
    for (uint32_t i = 0; i < r->addition_count; i++)
        for (uint32_t k = 0; k < r->additions[i].access_count; k++) {
            uint32_t location = r->additions[i].accesses[k].location;
            if (location < r->observation->location_count)
                connect(neighbours,
                        r->observation->natures[location].users | mz_threads_of(r->additions[i].thread));
        }
}

/* Leaders towards the first thread of each tree. False if the neighbours are no forest. */
static bool lead_forest(uint32_t *leaders, const mz_threads *neighbours)
{
    mz_threads seen = MZ_NO_THREADS;
    for (uint32_t root = 0; root < MZ_MAX_THREADS; root++) {
        if (mz_threads_has(seen, root))
            continue;
        leaders[root] = NOBODY;
        seen |= mz_threads_of(root);
        for (mz_threads fringe = mz_threads_of(root); mz_threads_any(fringe);) {
            uint32_t thread = mz_threads_first(fringe);
            mz_threads next = neighbours[thread];
            fringe = mz_threads_rest(fringe);
            if (leaders[thread] != NOBODY)
                next &= ~mz_threads_of(leaders[thread]);
            if (mz_threads_any(next & seen))
                return false;
            MZ_FOR_EACH_THREAD(child, next)
            {
                leaders[child] = thread;
            }
            seen |= next;
            fringe |= next;
        }
    }
    return true;
}

/* ---- the sequence ---------------------------------------------------------------------------------------
 */

static bool can_be_placed(const mz_realiser *r, uint32_t node, uint32_t leader)
{
    const uint32_t *clock = mz__clock_of(r, node);
    uint32_t own = r->nodes[node].thread;
    for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++)
        if (thread != own && clock[thread] > r->placed[thread])
            return false;
    return leader == NOBODY || leader >= r->execution->thread_capacity ||
           r->placed[leader] + 1 >= mz__first_after(r, node, leader);
}

static void place_with(mz_realiser *r, const uint32_t *leaders)
{
    mz__begin_order(r);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t thread = 0; thread < r->execution->thread_capacity; thread++)
            while (r->placed[thread] < r->lengths[thread]) {
                uint32_t node = r->by_index[thread][r->placed[thread]];
                if (!can_be_placed(r, node, leaders[thread]))
                    break;
                r->placed[thread]++;
                mz__add_to_order(r, r->items[node]);
                more = true;
            }
    }
}

bool mz__place_by_leaders(mz_realiser *r)
{
    uint32_t leaders[MZ_MAX_THREADS];
    mz_threads neighbours[MZ_MAX_THREADS] = {0}, centers = find_centers(r);
    if (mz_threads_any(centers)) {
        lead_all(leaders, mz_threads_first(centers));
    } else {
        find_neighbours(r, neighbours);
        if (!lead_forest(leaders, neighbours))
            return false;
    }
    place_with(r, leaders);
    mz__end_order(r);
    return true;
}
