#include "program/world/coverage.h"
#include "machine/machine.h"
#include "program/world/step.h"
#include "program/world/world.h"

static uint64_t scatter(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key >> 32;
}

/* Other processes add to it, too. A set that is full stays as it is. */
static void add(uint64_t *set, size_t size, uint64_t key)
{
    for (size_t i = 0, at = scatter(key) % size; i < size / 2; i++, at = (at + 1) % size) {
        uint64_t there = __atomic_load_n(&set[at], __ATOMIC_RELAXED);
        if (there == key ||
            (there == 0 &&
             __atomic_compare_exchange_n(&set[at], &there, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) ||
            there == key)
            return;
    }
}

static uint64_t place(const mz__covering *c, uintptr_t pc)
{
    return (uint32_t)(pc - c->code);
}

static bool conflict(const mz__covered_step *a, const mz__covered_step *b)
{
    return mz_accesses_conflict(a->accesses, a->access_count, b->accesses, b->access_count);
}

/* With all steps that calls of other threads have made on the same. */
static void cover_pairs(mz__covering *c, const mz__covered_step *now, size_t step)
{
    for (size_t i = step; i-- > 0;) {
        const mz__covered_step *s = &c->steps[i];
        if (s->thread != now->thread && s->call && conflict(s, now))
            add(c->covered->pairs, MZ__COVERED_PAIRS, place(c, s->pc) << 32 | place(c, now->pc));
    }
}

/* A call that has made a step and has not returned runs beside this one. */
static void cover_neighbours(mz__covering *c, const mz__covered_step *now, size_t step)
{
    mz__covered *all = c->covered;
    size_t places = sizeof all->places / sizeof *all->places;
    uint32_t own = c->operation[now->call];
    mz_threads seen = mz_threads_of(now->thread);
    for (size_t i = step; i-- > 0;) {
        const mz__covered_step *s = &c->steps[i];
        if (mz_threads_has(seen, s->thread))
            continue;
        seen |= mz_threads_of(s->thread);
        if (!s->call || c->call[s->thread] != s->call)
            continue;
        uint32_t other = c->operation[s->call];
        all->beside[own][other] = all->beside[other][own] = true;
        add(all->places, places, place(c, now->pc));
        add(all->places, places, place(c, mz__w.threads[s->thread].pc));
    }
}

void mz__cover_step(const mz__thread *t, size_t step)
{
    mz__covering *c = mz__w.covering;
    if (step >= MZ__COVERED_STEPS)
        return;
    mz__covered_step *now = &c->steps[step];
    uint32_t accesses = t->pending.access_count;
    now->thread = t->number;
    now->call = c->call[t->number];
    now->pc = t->pc;
    now->access_count = accesses < MZ__COVERED_ACCESSES ? accesses : MZ__COVERED_ACCESSES;
    for (uint32_t i = 0; i < now->access_count; i++)
        now->accesses[i] = t->pending.accesses[i];
    if (!now->call)
        return;
    add(c->covered->others, sizeof c->covered->others / sizeof *c->covered->others, place(c, now->pc));
    cover_pairs(c, now, step);
    cover_neighbours(c, now, step);
}
