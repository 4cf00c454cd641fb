/* Trying out what events of E, and operations after them, would do: is there a sequence, would an operation
 * write or have to wait?
 *
 * Any sequence of a closed set will do to ask the machine, as each thread does the same in all of them, and
 * which threads can go on does not depend on it (algo/rf/rf.c). For locks, which are most of what is waited
 * for, the last event at the lock tells as well. */
#include "algo/rf/mutations_internal.h"

mz_realiser *mz__prepare_realiser(mz_mutations *m, const uint32_t *set, const mz_addition *additions,
                                  uint32_t count)
{
    mz_realiser *r = &m->realiser;
    r->execution = mz__execution_of(m);
    r->observation = &m->observation;
    r->set = set;
    r->additions = additions;
    r->addition_count = count;
    return r;
}

static bool realise(mz_mutations *m, const uint32_t *set, const mz__subject *const *subjects, uint32_t count,
                    bool (*how)(mz_realiser *))
{
    mz_addition additions[MZ_MOST_ADDITIONS];
    for (uint32_t i = 0; i < count; i++)
        additions[i] = (mz_addition){.thread = subjects[i]->thread,
                                     .access_count = subjects[i]->access_count,
                                     .accesses = subjects[i]->accesses,
                                     .writers = subjects[i]->writers,
                                     .cause_count = subjects[i]->cause_count,
                                     .causes = subjects[i]->causes};
    m->search->statistics.constraint_systems++;
    return how(mz__prepare_realiser(m, set, additions, count));
}

bool mz__realise_subjects(mz_mutations *m, const uint32_t *set, const mz__subject *const *subjects,
                          uint32_t count)
{
    return realise(m, set, subjects, count, mz_realise);
}

bool mz__realise_at_once(mz_mutations *m, const uint32_t *set, const mz__subject *subject)
{
    return realise(m, set, &subject, 1, mz_realise_at_once);
}

void mz__run_realised(mz_mutations *m, const mz__subject *first, uint32_t end)
{
    mz_search *s = m->search;
    const mz_execution *x = s->execution;
    const mz_realiser *r = &m->realiser;
    mz_operation ignored;
    mz_search_return_to(s, 0);
    s->machine_depth = SIZE_MAX;
    for (size_t i = 0; i < r->order_count && r->order[i] != end; i++) {
        if (r->order[i] == x->length) {
            mz_choices_prescribe(&s->choices, NULL, 0);
            s->machine->class->step(s->machine, first->thread, &s->choices, &ignored);
            continue;
        }
        const mz_event *event = &x->events[r->order[i]];
        mz_choices_prescribe(&s->choices, x->choices + event->first_choice, event->choice_count);
        s->machine->class->step(s->machine, event->thread, &s->choices, &ignored);
    }
}

bool mz__would_write(mz_mutations *m, uint32_t thread)
{
    mz_search *s = m->search;
    mz_operation executed;
    mz__run_realised(m, NULL, (uint32_t)mz__execution_of(m)->length);
    mz_choices_prescribe(&s->choices, NULL, 0);
    s->machine->class->step(s->machine, thread, &s->choices, &executed);
    for (uint32_t i = 0; i < executed.access_count; i++)
        if (executed.accesses[i].kind & MZ_WRITE)
            return true;
    return false;
}

static bool would_be_ready(mz_mutations *m, const uint32_t *set, uint32_t thread)
{
    mz__realise_subjects(m, set, NULL, 0);
    mz__run_realised(m, NULL, (uint32_t)mz__execution_of(m)->length);
    return mz_threads_has(m->search->machine->status->ready, thread);
}

/* The last event of the set that writes the location, which is strict. */
static const mz_event *last_write_in(const mz_mutations *m, const uint32_t *set, uint32_t location)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE; r = x->records[r].previous_write)
        if (mz__is_in(set, &x->events[x->records[r].event]))
            return &x->events[x->records[r].event];
    return NULL;
}

bool mz__is_ready_after(mz_mutations *m, const uint32_t *set, const mz__subject *o)
{
    if (!o->blocking || o->access_count == 0)
        return true;
    if (o->moves)
        return would_be_ready(m, set, o->thread);
    const mz_event *last = last_write_in(m, set, o->accesses[0].location);
    if (o->kind == MZ_OP_LOCK && (!last || last->kind == MZ_OP_UNLOCK))
        return true;
    if (o->kind == MZ_OP_LOCK && last->kind == MZ_OP_LOCK)
        return false;
    return would_be_ready(m, set, o->thread);
}
