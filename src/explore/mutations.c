/* The stages of an execution that has ended, and its mutations in each of them. */
#include <string.h>

#include "base/memory.h"
#include "explore/mutations_internal.h"

static void find_stages(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t width = mz__width_of(m);
    m->states =
        mz_grow(m->states, &m->state_capacity, (size_t)(m->stage_count + 1) * width, sizeof *m->states);
    m->pivots = mz_grow(m->pivots, &m->pivot_capacity, m->stage_count + 1, sizeof *m->pivots);
    m->defaults = mz_grow(m->defaults, &m->default_capacity, m->stage_count + 1, sizeof *m->defaults);
    memset(m->states, 0, (size_t)(m->stage_count + 1) * width * sizeof *m->states);
    for (uint32_t stage = 0; stage < m->stage_count; stage++) {
        m->pivots[stage] = MZ_NONE;
        m->defaults[stage] = MZ__READS_NOTHING;
    }
    for (uint32_t t = 0; t < x->thread_capacity; t++) {
        uint32_t index = 0;
        m->last_bend[t] = 0;
        for (uint32_t stage = 0; stage < m->stage_count; stage++) {
            while (index < x->thread_length[t] && m->stages[x->positions[t][index]].number < stage)
                index++;
            m->states[(size_t)stage * width + t] = index;
        }
        for (index = 1; index <= x->thread_length[t]; index++) {
            uint32_t position = mz_position_of(x, t, index);
            const mz_stage *stage = &m->stages[position];
            if (stage->pivot) {
                m->pivots[stage->number] = position;
                if (mz__has_loose_read(m, position))
                    m->defaults[stage->number] = MZ__NOT_KNOWN_YET;
            }
            if (!stage->pivot || mz__has_higher_choice(x, &x->events[position])) {
                m->last_bend[t] = index;
                m->bend_stage[t] = stage->number;
            }
        }
    }
}

static void list_readers(mz_mutations *m)
{
    m->readers = mz_grow(m->readers, &m->reader_capacity, m->stage_count, sizeof *m->readers);
    m->reader_count = 0;
    for (uint32_t stage = 0; stage < m->stage_count; stage++)
        if (m->defaults[stage] != MZ__READS_NOTHING)
            m->readers[m->reader_count++] = stage;
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

void mz_mutate_execution(mz_mutations *m, uint32_t planned_stage, uint32_t stage_count)
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
    m->stage_count = stage_count;
    find_stages(m);
    list_readers(m);
    mz__index_writes(m);
    mz__try_pairs(m, waiting);
}

void mz_mutations_release(mz_mutations *m)
{
    mz_observation_release(&m->observation);
    mz_realiser_release(&m->realiser);
    mz_release(m->stages);
    mz_release(m->states);
    mz_release(m->pivots);
    mz_release(m->defaults);
    mz_release(m->readers);
    mz_release(m->writes);
    mz_release(m->first_write);
    mz_release(m->accesses);
    mz_release(m->writers);
    mz_release(m->candidates);
}
