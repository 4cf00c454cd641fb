/* The stages of an execution that has ended, and its mutations in each of them. */
#include <string.h>

#include "base/memory.h"
#include "explore/mutations_internal.h"

static void find_bends(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t t = 0; t < x->thread_capacity; t++) {
        uint32_t index = x->thread_length[t];
        for (; index > 0; index--) {
            uint32_t position = mz_position_of(x, t, index);
            m->bend_stage[t] = mz_number_of(m->stages[position]);
            if (!mz_is_pivot(m->stages[position]) || mz__has_higher_choice(x, &x->events[position]))
                break;
        }
        m->last_bend[t] = index;
    }
}

static void find_readers(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    m->readers = mz_grow(m->readers, &m->reader_capacity, x->length, sizeof *m->readers);
    m->reader_count = 0;
    uint32_t last = MZ_NONE;
    for (size_t r = 0; r < x->record_count; r++) {
        uint32_t position = x->records[r].event;
        if (!mz_is_loose_read(&m->observation, x->records[r].access) || !mz_is_pivot(m->stages[position]) ||
            position == last)
            continue;
        m->readers[m->reader_count++] = (mz_reader){.position = position};
        last = position;
    }
}

static void find_movers(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    m->mover_count = 0;
    m->may_move = x->dynamic_count > 0 || m->search->machine->complex_blocking;
    for (uint32_t position = 0; m->may_move && position < x->length; position++) {
        if (!mz__moves(&x->events[position]) || !mz__has_loose_read(m, position))
            continue;
        m->movers = mz_grow(m->movers, &m->mover_capacity, m->mover_count + 1, sizeof *m->movers);
        m->movers[m->mover_count++] = position;
    }
}

void mz__find_state_before(const mz_mutations *m, uint32_t stage, uint32_t *state)
{
    const mz_execution *x = mz__execution_of(m);
    memset(state, 0, mz__width_of(m) * sizeof *state);
    for (uint32_t t = 0; t < x->thread_capacity; t++) { /* those of a thread are in the order of stages */
        uint32_t low = 0, high = x->thread_length[t];
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (mz_number_of(m->stages[x->positions[t][middle + 1]]) < stage)
                low = middle + 1;
            else
                high = middle;
        }
        state[t] = low;
    }
}

static uint32_t most_accesses(const mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t most = 0;
    for (uint32_t position = 0; position < x->length; position++)
        if (x->events[position].access_count > most)
            most = x->events[position].access_count;
    return most;
}

void mz_mutate_execution(mz_mutations *m, uint32_t planned_stage)
{
    mz_search *s = m->search;
    mz_machine *machine = s->machine;
    uint32_t most = most_accesses(m);
    mz_search_return_to(s, s->execution->length);
    mz_threads waiting = machine->status->blocked;
    MZ_FOR_EACH_THREAD(thread, waiting)
    {
        mz_operation pending;
        machine->class->pending(machine, thread, &pending);
        most = pending.access_count > most ? pending.access_count : most;
        mz_observation_note_waiting(&m->observation, &pending);
    }
    if (m->observation.learned)
        return;
    mz__make_room_for_subjects(m, most);
    m->planned_stage = planned_stage;
    m->has_writes = false;
    find_bends(m);
    find_readers(m);
    find_movers(m);
    mz__try_pairs(m, waiting);
}

void mz_mutations_release(mz_mutations *m)
{
    mz_observation_release(&m->observation);
    mz_realiser_release(&m->realiser);
    mz_release(m->stages);
    mz_release(m->readers);
    mz_release(m->writes);
    mz_release(m->first_write);
    mz_release(m->accesses);
    mz_release(m->writers);
    mz_release(m->candidates);
    mz__release_ways(m);
    mz_release(m->movers);
    mz_release(m->touched);
    mz_release(m->tried);
}
