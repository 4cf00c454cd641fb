/* How far each thread has come is a point in a grid; a context switch is a move along another axis. Breadth
 * first over (point, thread that moved last), by number of switches, finds the fewest. Where the grid is
 * too large, stay with a thread as long as it can go on and then take the one that can go on longest. */
#include "search/witness/arrange.h"

#include <string.h>

#include "base/memory.h"

enum { LARGEST_GRID = 1 << 18 };

typedef struct arrangement {
    const mz_execution *x;
    uint32_t last; /* position of the event that must come last; MZ_NONE: any */
    size_t total;
    uint32_t threads;
    uint32_t *lengths; /* [thread]: selected events */
    uint32_t *placed;  /* [thread]: of these, already placed */
} arrangement;

static size_t placed_count(const arrangement *a)
{
    size_t count = 0;
    for (uint32_t t = 0; t < a->threads; t++)
        count += a->placed[t];
    return count;
}

/* Can the thread's next event come now? Everything selected that happens before it must be placed. */
static bool is_available(const arrangement *a, uint32_t thread)
{
    if (a->placed[thread] == a->lengths[thread])
        return false;
    uint32_t position = mz_position_of(a->x, thread, a->placed[thread] + 1);
    const uint32_t *clock = mz_clock(a->x, position);
    if (position == a->last && placed_count(a) + 1 < a->total)
        return false;
    for (uint32_t t = 0; t < a->threads; t++) {
        uint32_t needed = clock[t] < a->lengths[t] ? clock[t] : a->lengths[t];
        if (t != thread && needed > a->placed[t])
            return false;
    }
    return true;
}

static uint32_t run_length(arrangement *a, uint32_t thread)
{
    uint32_t start = a->placed[thread], length;
    while (is_available(a, thread))
        a->placed[thread]++;
    length = a->placed[thread] - start;
    a->placed[thread] = start;
    return length;
}

static void arrange_greedily(arrangement *a, size_t total, uint32_t *order)
{
    memset(a->placed, 0, a->threads * sizeof *a->placed);
    for (size_t count = 0; count < total;) {
        uint32_t best = 0, longest = 0;
        for (uint32_t t = 0; t < a->threads; t++) {
            uint32_t length = run_length(a, t);
            if (length > longest) {
                longest = length;
                best = t;
            }
        }
        while (longest-- > 0)
            order[count++] = mz_position_of(a->x, best, ++a->placed[best]);
    }
}

static size_t point_of(const arrangement *a, const uint32_t *placed)
{
    size_t point = 0;
    for (uint32_t t = 0; t < a->threads; t++)
        point = point * (a->lengths[t] + 1) + placed[t];
    return point;
}

static void place(arrangement *a, size_t point)
{
    for (uint32_t t = a->threads; t-- > 0;) {
        a->placed[t] = (uint32_t)(point % (a->lengths[t] + 1));
        point /= a->lengths[t] + 1;
    }
}

/* States are point * threads + last thread. `from` holds each one's predecessor. */
static void arrange_exactly(arrangement *a, size_t grid, size_t total, uint32_t *order)
{
    size_t states = grid * a->threads, head = 0, tail = 0, goal = SIZE_MAX;
    uint32_t *from = mz_allocate(states * sizeof *from), *queue = mz_allocate(states * sizeof *queue);
    memset(from, 0xff, states * sizeof *from);
    for (uint32_t t = 0; t < a->threads; t++) { /* nothing placed: any thread may "have moved last" */
        from[t] = t;
        queue[tail++] = t;
    }
    while (goal == SIZE_MAX) { /* the last point is reachable: the execution itself goes there */
        uint32_t state = queue[head++];
        uint32_t last = state % a->threads;
        place(a, state / a->threads);
        for (uint32_t t = 0; t < a->threads && goal == SIZE_MAX; t++) {
            if (t == last && state >= a->threads)
                continue; /* its run has been followed to the end already */
            uint32_t start = a->placed[t];
            while (is_available(a, t)) {
                a->placed[t]++;
                size_t next = point_of(a, a->placed) * a->threads + t;
                if (from[next] != UINT32_MAX)
                    continue;
                from[next] = state;
                queue[tail++] = (uint32_t)next;
                if (next / a->threads == grid - 1) {
                    goal = next;
                    break;
                }
            }
            a->placed[t] = start;
        }
    }
    for (size_t state = goal, at = total; state >= a->threads; state = from[state]) {
        uint32_t thread = (uint32_t)(state % a->threads);
        place(a, from[state] / a->threads);
        uint32_t begin = a->placed[thread];
        place(a, state / a->threads);
        for (uint32_t i = a->placed[thread]; i > begin; i--)
            order[--at] = mz_position_of(a->x, thread, i);
    }
    mz_release(from);
    mz_release(queue);
}

size_t mz_arrange(const mz_execution *x, const bool *selected, bool keep_last, uint32_t *order)
{
    size_t total = 0, grid = 1;
    bool fixed = keep_last && x->length > 0 && selected[x->length - 1];
    arrangement a = {
        .x = x, .threads = x->thread_capacity, .last = fixed ? (uint32_t)x->length - 1 : MZ_NONE};
    a.lengths = mz_allocate_zeroed(a.threads, sizeof *a.lengths);
    a.placed = mz_allocate_zeroed(a.threads, sizeof *a.placed);
    for (uint32_t i = 0; i < x->length; i++)
        if (selected[i]) {
            order[total++] = i;
            a.lengths[x->events[i].thread]++;
        }
    for (uint32_t t = 0; t < a.threads && grid <= LARGEST_GRID; t++)
        grid *= a.lengths[t] + 1;
    a.total = total;
    if (total > 0 && x->track_order) { /* else nothing is known about the order: keep it */
        if (grid * a.threads <= LARGEST_GRID)
            arrange_exactly(&a, grid, total, order);
        else
            arrange_greedily(&a, total, order);
    }
    mz_release(a.lengths);
    mz_release(a.placed);
    return total;
}
