#include "algo/graph/follow.h"

#include "base/memory.h"
#include "machine/execution.h"

typedef mz__exploration exploration;

void mz__note_choices(mz__graph *g, int32_t event)
{
    uint32_t operation = g->events[event].operation;
    for (int32_t e = g->last[g->events[event].thread];
         e != MZ__NO_EVENT && g->events[e].operation == operation; e = g->events[e].before)
        g->events[e].has_choices = true;
}

/* Does the step say what was done there? */
static bool is_as_executed(const exploration *n, const mz_execution *x, size_t at, const mz__graph_step *step,
                           bool last)
{
    const mz_event *event = &x->events[at];
    const mz_choice *made = x->choices + event->first_choice;
    if (last || event->thread != step->thread || event->choice_count != step->chooses + step->choice_count ||
        (step->chooses && made[0].value != step->back))
        return false;
    for (uint32_t i = 0; i < step->choice_count; i++)
        if (made[step->chooses + i].value != n->choices[step->first_choice + i].value)
            return false;
    return true;
}

size_t mz__common_length(const mz_search *s, const exploration *n, const mz__graph *g, size_t known)
{
    size_t length = known;
    while (length < s->execution->length && length < g->step_count &&
           is_as_executed(n, s->execution, length, &g->steps[length], length + 1 == g->step_count))
        length++;
    return length;
}

void mz__prescribe_step(mz_search *s, const exploration *n, const mz__graph_step *step)
{
    mz_choices *c = &s->choices;
    size_t count = step->chooses + step->choice_count;
    c->made = mz_grow(c->made, &c->capacity, count + 1, sizeof *c->made);
    if (step->chooses)
        c->made[0] = (mz_choice){.value = step->back, .low = 0, .high = INT32_MAX};
    for (uint32_t i = 0; i < step->choice_count; i++)
        c->made[step->chooses + i] = n->choices[step->first_choice + i];
    c->prescribed = count;
    c->count = 0;
}
