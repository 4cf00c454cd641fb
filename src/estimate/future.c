/* A set of threads is persistent in a state if nothing that the others can do, without them, conflicts with
 * what its threads are about to do: whatever happens from there, some thread of the set can be taken to begin
 * (Godefroid). So: start with a thread that is ready; as long as the pending operation of one in the set
 * conflicts with something that another may still do, take that one in, too. A thread that waits needs no
 * rule of its own: what could let it go on conflicts with it. While only others move, the pending operations
 * of the set keep their footprints, by promise (1) of machine.h. */
#include "estimate/future.h"

#include <string.h>

#include "base/memory.h"

void mz_future_init(mz_future *f, mz_machine *machine)
{
    *f = (mz_future){.machine = machine};
}

void mz_future_release(mz_future *f)
{
    mz_release(f->last);
    mz_release(f->users[0]);
    mz_release(f->users[1]);
}

static void make_room(mz_future *f, size_t locations)
{
    size_t row = (size_t)f->machine->thread_capacity * 2, old = f->location_count;
    if (locations <= old)
        return;
    f->last = mz_grow(f->last, &f->last_capacity, locations * row, sizeof *f->last);
    memset(f->last + old * row, 0, (locations - old) * row * sizeof *f->last);
    for (int write = 0; write < 2; write++) {
        f->users[write] = mz_grow(f->users[write], &f->user_capacity[write], locations, sizeof(mz_threads));
        memset(f->users[write] + old, 0, (locations - old) * sizeof(mz_threads));
    }
    f->location_count = locations;
}

void mz_future_learn(mz_future *f, uint32_t thread, uint32_t index, const mz_operation *operation)
{
    f->threads |= mz_threads_of(thread);
    for (uint32_t i = 0; i < operation->access_count; i++) {
        mz_access a = operation->accesses[i];
        make_room(f, (size_t)a.location + 1);
        uint32_t *last = f->last + ((size_t)a.location * f->machine->thread_capacity + thread) * 2;
        for (int write = 0; write <= ((a.kind & MZ_WRITE) != 0); write++) {
            if (last[write] >= index)
                continue;
            last[write] = index;
            f->users[write][a.location] |= mz_threads_of(thread);
            f->surprises++;
        }
    }
}

/* The other threads that may yet do something that conflicts with the thread's operation. */
static mz_threads conflicts(const mz_future *f, uint32_t thread, const mz_operation *operation,
                            const uint32_t *lengths)
{
    mz_threads found = MZ_NO_THREADS;
    for (uint32_t i = 0; i < operation->access_count; i++) {
        mz_access a = operation->accesses[i];
        uint32_t write = !(a.kind & MZ_WRITE); /* a write conflicts with every access, a read with writes */
        const uint32_t *last = f->last + (size_t)a.location * f->machine->thread_capacity * 2;
        MZ_FOR_EACH_THREAD(t, f->users[write][a.location] & ~found & ~mz_threads_of(thread))
        {
            if (last[t * 2 + write] > lengths[t])
                found |= mz_threads_of(t);
        }
    }
    return found;
}

/* needs[t]: who must be in a set in which t is. */
static void find_needs(mz_future *f, const uint32_t *lengths, mz_threads *needs)
{
    mz_machine *machine = f->machine;
    const mz_status *status = machine->status;
    mz_threads live = status->ready | status->blocked;
    mz_threads unborn = f->threads & ~live & ~(status->finished | status->pruned | status->failed);
    mz_operation pending;
    MZ_FOR_EACH_THREAD(t, live)
    {
        machine->class->pending(machine, t, &pending);
        mz_future_learn(f, t, lengths[t] + 1, &pending);
    }
    MZ_FOR_EACH_THREAD(t, live)
    {
        machine->class->pending(machine, t, &pending);
        needs[t] = conflicts(f, t, &pending, lengths);
        for (uint32_t i = 0; i < pending.cause_count; i++) /* of one that is not there yet */
            if (pending.causes[i].index > lengths[pending.causes[i].thread])
                needs[t] |= mz_threads_of(pending.causes[i].thread);
        if (mz_threads_any(needs[t] & unborn)) /* whoever creates that one */
            needs[t] = live;
    }
}

static mz_threads closure(const mz_threads *needs, uint32_t thread, mz_threads live)
{
    mz_threads set = mz_threads_of(thread), todo = set;
    while (mz_threads_any(todo)) {
        mz_threads more = needs[mz_threads_first(todo)] & live & ~set;
        set |= more;
        todo = mz_threads_rest(todo) | more;
    }
    return set;
}

mz_threads mz_future_persistent(mz_future *f, mz_threads sleep, const uint32_t *lengths)
{
    mz_threads needs[MZ_MAX_THREADS];
    mz_threads ready = f->machine->status->ready, live = ready | f->machine->status->blocked;
    mz_threads best = ready & ~sleep;
    find_needs(f, lengths, needs);
    MZ_FOR_EACH_THREAD(t, ready)
    {
        mz_threads awake = closure(needs, t, live) & ready & ~sleep;
        if (mz_threads_count(awake) < mz_threads_count(best))
            best = awake;
    }
    return best;
}
