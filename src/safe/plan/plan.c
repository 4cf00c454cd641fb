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

uint32_t mz_plan_threads_held(const mz_plan *plan)
{
    uint64_t first = 0, beyond = 0;
    for (size_t i = 0; i < plan->event_count && !plan->edges_only; i++)
        *(i < plan->prefix ? &first : &beyond) |= UINT64_C(1) << plan->events[i].thread;
    bool only_one = first && !(first & (first - 1)); /* who does all of the prefix waits for nobody */
    return (uint32_t)__builtin_popcountll(first == 0 ? 0 : only_one ? beyond & ~first : beyond);
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

/* ---- one plan for several valuations ---------------------------------------------------------------------
 */

static bool have_same_threads(const mz_plan *a, const mz_plan *b)
{
    if (a->thread_count != b->thread_count)
        return false;
    for (uint32_t t = 1; t < a->thread_count; t++)
        if (a->threads[t].parent != b->threads[t].parent || a->threads[t].child != b->threads[t].child)
            return false;
    return true;
}

/* Each thread's first event beyond the prefix: where it has to wait for all of that. 0: none. */
static void find_followers(const mz_plan *plan, uint32_t prefix, uint32_t *counts)
{
    memset(counts, 0, MZ_PLAN_MOST_THREADS * sizeof *counts);
    for (size_t i = prefix; i < plan->event_count; i++)
        if (counts[plan->events[i].thread] == 0)
            counts[plan->events[i].thread] = plan->events[i].count;
}

bool mz_plan_asks_the_same(const mz_plan *a, const mz_plan *b, uint32_t prefix)
{
    uint32_t followers[2][MZ_PLAN_MOST_THREADS];
    if (prefix == 0)
        return true;
    if (prefix > a->length || prefix > b->length || !have_same_threads(a, b))
        return false;
    for (uint32_t i = 0; i < prefix; i++)
        if (!mz_plan_same_event(a, b, i) || !mz_plan_same_waits(a, b, i))
            return false;
    find_followers(a, prefix, followers[0]);
    find_followers(b, prefix, followers[1]);
    return memcmp(followers[0], followers[1], sizeof followers[0]) == 0;
}

static bool has_same_place(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    if (e->place == MZ_PLAN_NOWHERE || f->place == MZ_PLAN_NOWHERE)
        return e->place == f->place;
    return strcmp(a->places[e->place], b->places[f->place]) == 0;
}

void mz_plan_blur(mz_plan *plan, const mz_plan *other)
{
    if (plan->edges_only)
        return;
    for (uint32_t i = 0; i < plan->length && i < other->length && mz_plan_same_event(plan, other, i); i++) {
        mz_plan_event *event = &plan->events[i];
        if (!has_same_place(plan, other, i))
            event->place = MZ_PLAN_NOWHERE;
        if (strcmp(event->text, other->events[i].text) != 0)
            event->text = mz_operation_name(event->kind);
    }
    for (uint32_t t = 0; t < plan->thread_count; t++)
        if (plan->threads[t].ends != other->threads[t].ends)
            plan->threads[t].ends = 0;
}
