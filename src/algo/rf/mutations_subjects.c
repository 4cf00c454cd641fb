/* The operations that mutations are made of, each with room for what it is to read from.
 *
 * An operation is described as if nothing were known about what it will read: one that may or may not write
 * is taken to write. That is the safe way to ask for a sequence, as it holds for both; where there is none,
 * one asks again without the write, and the machine has to confirm that it does not write. */
#include "algo/rf/mutations_internal.h"
#include "base/memory.h"

void mz__make_room_for_subjects(mz_mutations *m, uint32_t most)
{
    m->most_accesses = most;
    m->accesses =
        mz_grow(m->accesses, &m->access_capacity, (size_t)most * MZ__SLOTS + 1, sizeof *m->accesses);
    m->writers = mz_grow(m->writers, &m->writer_capacity, (size_t)most * MZ__SLOTS + 1, sizeof *m->writers);
}

mz__subject mz__subject_pending(mz_mutations *m, int slot, const mz_operation *pending, uint32_t thread)
{
    mz_access *accesses = m->accesses + (size_t)m->most_accesses * (unsigned)slot;
    bool conditional = mz_may_only_read(pending->conditional, pending->kind);
    for (uint32_t i = 0; i < pending->access_count; i++) {
        accesses[i] = pending->accesses[i];
        accesses[i].kind |= conditional ? MZ_WRITE : 0;
    }
    return (mz__subject){.thread = thread,
                         .index = mz__execution_of(m)->thread_length[thread] + 1,
                         .kind = pending->kind,
                         .blocking = pending->blocking,
                         .conditional = conditional,
                         .moves = pending->dynamic || mz_waits_complexly(pending->blocking, pending->dynamic,
                                                                         pending->access_count),
                         .access_count = pending->access_count,
                         .accesses = accesses,
                         .writers = m->writers + (size_t)m->most_accesses * (unsigned)slot,
                         .cause_count = pending->cause_count,
                         .causes = pending->causes};
}

mz__subject mz__subject_of_event(mz_mutations *m, int slot, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    mz_access *accesses = m->accesses + (size_t)m->most_accesses * (unsigned)slot;
    bool conditional = mz_may_only_read(event->conditional, event->kind);
    for (uint32_t i = 0; i < event->access_count; i++) {
        accesses[i] = x->records[event->first_access + i].access;
        accesses[i].kind |= conditional ? MZ_WRITE : 0;
    }
    return (mz__subject){.thread = event->thread,
                         .index = event->index,
                         .kind = event->kind,
                         .blocking = event->blocking,
                         .conditional = conditional,
                         .moves = mz__moves(event),
                         .access_count = event->access_count,
                         .accesses = accesses,
                         .writers = m->writers + (size_t)m->most_accesses * (unsigned)slot,
                         .cause_count = event->cause_count,
                         .causes = x->causes + event->first_cause};
}

void mz__take_for_read(mz_mutations *m, mz__subject *o)
{
    mz_access *accesses = m->accesses + (o->accesses - m->accesses);
    for (uint32_t i = 0; i < o->access_count; i++)
        accesses[i].kind &= ~(uint32_t)MZ_WRITE;
}

void mz__take_for_write(mz_mutations *m, mz__subject *o)
{
    mz_access *accesses = m->accesses + (o->accesses - m->accesses);
    for (uint32_t i = 0; i < o->access_count; i++)
        accesses[i].kind |= MZ_WRITE;
}
