/* The stages of an execution that has ended, and its mutations in each of them. */
#include <string.h>

#include "algo/rf/mutations_internal.h"
#include "base/memory.h"

void mz_mutations_restart(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    mz_observation_restart(&m->observation, x);
    memset(m->bends, 0, x->thread_capacity * sizeof *m->bends);
    m->given = 0;
    m->bent_stage = m->default_from = m->given_pivot = 0;
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

/* How many of a thread's events, at these positions (from 1 on), are of earlier stages? They are in the order
 * of stages, and most often it is nearly all of them. */
static uint32_t count_before(const mz_mutations *m, const uint32_t *positions, uint32_t count, mz_stage stage)
{
    uint32_t low = 0, high = count; /* the first `low` are, those behind `high` are not */
    for (uint32_t step = 1; low < high; step *= 2) {
        uint32_t tried = high - low > step ? high - step + 1 : low + 1;
        if (m->stages[positions[tried]] < stage) {
            low = tried;
            break;
        }
        high = tried - 1;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2 + 1;
        if (m->stages[positions[middle]] < stage)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The same of events that came by default, each a stage of its own: those that stand before this position. */
static uint32_t count_standing_before(const uint32_t *positions, uint32_t count, uint32_t position)
{
    while (count > 0 && positions[count] > position)
        count--;
    return count;
}

enum { FEW = 32 };

void mz__find_state_before(const mz_mutations *m, uint32_t pivot, uint32_t *state)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[pivot];
    bool is_near = pivot >= m->given && x->length - pivot <= FEW;
    mz_stage stage = mz_detour_of(mz_number_of(m->stages[pivot]));
    memset(state, 0, mz__width_of(m) * sizeof *state);
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        state[t] = t == event->thread ? event->index - 1
                   : is_near          ? count_standing_before(x->positions[t], x->thread_length[t], pivot)
                                      : count_before(m, x->positions[t], x->thread_length[t], stage);
}

bool mz_mutations_begin(mz_mutations *m)
{
    mz_search *s = m->search;
    mz_machine *machine = s->machine;
    uint32_t most = m->observation.most_accesses;
    mz_search_return_to(s, s->execution->length);
    m->waiting = machine->status->blocked;
    MZ_FOR_EACH_THREAD(thread, m->waiting)
    {
        mz_operation pending;
        machine->class->pending(machine, thread, &pending);
        most = pending.access_count > most ? pending.access_count : most;
        mz_observation_note_waiting(&m->observation, &pending);
    }
    if (m->observation.learned)
        return false;
    mz__make_room_for_subjects(m, most);
    m->has_writes = false;
    find_movers(m);
    return true;
}

void mz_mutations_release(mz_mutations *m)
{
    mz_observation_release(&m->observation);
    mz_realiser_release(&m->realiser);
    mz_release(m->stages);
    mz_release(m->writes);
    mz_release(m->first_write);
    mz_release(m->accesses);
    mz_release(m->writers);
    mz_release(m->candidates);
    mz_release(m->order);
    mz__release_ways(m);
    mz_release(m->movers);
    mz_release(m->touched);
    mz_release(m->tried);
}
