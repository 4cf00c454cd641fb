#include "enforce/plan.h"

#include <string.h>

#include "base/memory.h"

void mz_plan_release(mz_plan *plan)
{
    mz_release(plan->lines);
    mz_release(plan->events);
    mz_release(plan->waits);
    mz_release(plan->places);
    mz_arena_release(&plan->strings);
    *plan = (mz_plan){0};
}

void mz_plan_add_line(mz_plan *plan, const char *key, const char *text)
{
    plan->lines = mz_grow(plan->lines, &plan->line_capacity, plan->line_count + 1, sizeof *plan->lines);
    plan->lines[plan->line_count++] = (mz_plan_line){mz_arena_copy(&plan->strings, key, strlen(key)),
                                                     mz_arena_copy(&plan->strings, text, strlen(text))};
}

const char *mz_plan_line_of(const mz_plan *plan, const char *key)
{
    for (size_t i = 0; i < plan->line_count; i++)
        if (strcmp(plan->lines[i].key, key) == 0)
            return plan->lines[i].text;
    return NULL;
}

uint32_t mz_plan_add_place(mz_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->place_count; i++)
        if (strcmp(plan->places[i], name) == 0)
            return (uint32_t)i;
    plan->places = mz_grow(plan->places, &plan->place_capacity, plan->place_count + 1, sizeof *plan->places);
    plan->places[plan->place_count] = mz_arena_copy(&plan->strings, name, strlen(name));
    return (uint32_t)plan->place_count++;
}

/* The waits stand in the order of the events. */
size_t mz_plan_constraints(const mz_plan *plan, uint32_t prefix)
{
    if (prefix == 0)
        return 0;
    const mz_plan_event *last = &plan->events[prefix - 1];
    return last->first_wait + last->wait_count;
}
