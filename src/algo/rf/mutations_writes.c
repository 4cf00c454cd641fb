/* The writes of loose locations in an execution that has ended, in the order of location, thread, index. In a
 * set of events, those of a thread are the first ones, so that the last of them is found by halving. */
#include <string.h>

#include "algo/rf/mutations_internal.h"
#include "base/memory.h"

static bool is_loose_write(const mz_mutations *m, mz_access access)
{
    return (access.kind & MZ_WRITE) && mz_is_loose(&m->observation, access.location);
}

/* Where the writes of each location begin, in `first_write`. Returns how many there are. */
static uint32_t count_writes(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    size_t rooms = m->observation.location_count + 2;
    m->first_write = mz_grow(m->first_write, &m->first_write_capacity, rooms, sizeof *m->first_write);
    memset(m->first_write, 0, rooms * sizeof *m->first_write);
    for (size_t r = 0; r < x->record_count; r++)
        if (is_loose_write(m, x->records[r].access))
            m->first_write[x->records[r].access.location + 2]++;
    for (size_t i = 2; i < rooms; i++)
        m->first_write[i] += m->first_write[i - 1];
    return m->first_write[rooms - 1];
}

static void index_writes(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    m->has_writes = true;
    m->writes = mz_grow(m->writes, &m->write_capacity, count_writes(m) + 1, sizeof *m->writes);
    /* first_write[location + 1] is where its next write goes, and where the next location begins in the end
     */
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++)
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            uint32_t position = mz_position_of(x, thread, index);
            const mz_event *event = &x->events[position];
            for (uint32_t i = 0; i < event->access_count; i++) {
                mz_access access = x->records[event->first_access + i].access;
                if (is_loose_write(m, access))
                    m->writes[m->first_write[access.location + 1]++] = (mz_write){thread, index, position};
            }
        }
}

/* Writes of one location by one thread: [first, end). */
typedef struct writes_of_thread {
    const mz_write *first, *end;
} writes_of_thread;

/* Those among the thread's first so many events. */
static writes_of_thread writes_in(mz_mutations *m, uint32_t location, uint32_t thread, uint32_t length)
{
    if (!m->has_writes)
        index_writes(m);
    uint32_t low = m->first_write[location], high = m->first_write[location + 1];
    const mz_write *writes = m->writes;
    uint32_t first = low, end = high;
    while (first < high) { /* the first one of the thread */
        uint32_t middle = first + (high - first) / 2;
        if (writes[middle].thread < thread)
            first = middle + 1;
        else
            high = middle;
    }
    low = first;
    while (low < end) { /* behind the last one of those that count */
        uint32_t middle = low + (end - low) / 2;
        if (writes[middle].thread == thread && writes[middle].index <= length)
            low = middle + 1;
        else
            end = middle;
    }
    return (writes_of_thread){writes + first, writes + low};
}

/* Most often they are among the last writes of all. If not, the writes are listed. */
enum { FEW = 16 };

uint32_t mz__last_write_of(mz_mutations *m, uint32_t location, uint32_t thread, uint32_t length)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t record = mz_location_now(x, location).last_write;
    if (length == 0 || !mz_threads_has(m->observation.natures[location].users, thread))
        return MZ_NONE;
    for (uint32_t tried = 0; tried < FEW; tried++, record = x->records[record].previous_write) {
        if (record == MZ_NONE)
            return MZ_NONE;
        const mz_event *event = &x->events[x->records[record].event];
        if (event->thread == thread && event->index <= length)
            return x->records[record].event;
    }
    writes_of_thread w = writes_in(m, location, thread, length);
    return w.first == w.end ? MZ_NONE : w.end[-1].position;
}

uint32_t mz__last_write_in(mz_mutations *m, const uint32_t *set, uint32_t location)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t record = mz_location_now(x, location).last_write;
    for (uint32_t tried = 0; tried < FEW; tried++, record = x->records[record].previous_write) {
        if (record == MZ_NONE)
            return MZ_NONE;
        if (mz__is_in(set, &x->events[x->records[record].event]))
            return x->records[record].event;
    }
    uint32_t last = MZ_NONE;
    MZ_FOR_EACH_THREAD(thread, m->observation.natures[location].users)
    {
        uint32_t position = mz__last_write_of(m, location, thread, set[thread]);
        if (mz_stands_before(last, position))
            last = position;
    }
    return last;
}
