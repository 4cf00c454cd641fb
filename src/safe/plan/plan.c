#include "safe/plan/plan.h"

#include <string.h>

#include "base/memory.h"

void mz_plan_release(mz_plan *plan)
{
    mz_release(plan->lines);
    mz_release(plan->events);
    mz_release(plan->waits);
    mz_release(plan->reads);
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

void mz_plan_add_read(mz_plan *plan, const char *name, uint32_t rank, const char *file, uint32_t line)
{
    plan->reads = mz_grow(plan->reads, &plan->read_capacity, plan->read_count + 1, sizeof *plan->reads);
    plan->reads[plan->read_count++] =
        (mz_plan_read){mz_arena_copy(&plan->strings, name, strlen(name)), rank,
                       file ? mz_arena_copy(&plan->strings, file, strlen(file)) : NULL, line};
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

bool mz_plan_same_event(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    return e->thread == f->thread && e->count == f->count && e->kind == f->kind && e->picks == f->picks;
}

bool mz_plan_same_waits(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    return e->wait_count == f->wait_count &&
           (e->wait_count == 0 || memcmp(&a->waits[e->first_wait], &b->waits[f->first_wait],
                                         e->wait_count * sizeof *a->waits) == 0);
}

uint32_t mz_plan_common(const mz_plan *a, const mz_plan *b)
{
    uint32_t i = 0;
    if (a->edges_only || b->edges_only)
        return 0; /* there is no prefix */
    while (i < a->prefix && i < b->prefix && mz_plan_same_event(a, b, i) && mz_plan_same_waits(a, b, i))
        i++;
    return i;
}
