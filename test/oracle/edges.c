#include "oracle/edges.h"

#include "base/memory.h"

enum { LONGEST = 40 };

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = mz_mix64(*state + 1);
    return *state % below;
}

/* Plain accesses are not counted, and have no name. */
static bool name_of(const mz_machine *machine, uint32_t thread, uint32_t events, mz_plan_wait *name)
{
    mz_name given = {.counted = true, .operations = events + 1};
    if (machine->class->name_pending)
        machine->class->name_pending(machine, thread, &given);
    *name = (mz_plan_wait){thread, given.operations};
    return given.counted && !given.plain;
}

/* Names of the events of some execution. */
static size_t run_anyhow(mz_machine *machine, uint64_t *state, mz_plan_wait names[LONGEST])
{
    mz_choices choices = {0};
    mz_operation executed;
    uint32_t counts[MZ_MAX_THREADS] = {0};
    size_t length = 0;
    mz_outcome outcome = machine->class->reset(machine, &choices);
    while (outcome != MZ_STEP_GIVEN_UP && mz_threads_any(machine->status->ready) && length < LONGEST) {
        mz_threads ready = machine->status->ready;
        for (uint64_t skip = draw(state, mz_threads_count(ready)); skip > 0; skip--)
            ready = mz_threads_rest(ready);
        uint32_t thread = mz_threads_first(ready);
        length += name_of(machine, thread, counts[thread]++, &names[length]);
        mz_choices_prescribe(&choices, NULL, 0);
        outcome = machine->class->step(machine, thread, &choices, &executed);
    }
    mz_release(choices.made);
    return length;
}

size_t edges_choose(mz_machine *machine, uint64_t seed, mz_edge edges[MOST_EDGES])
{
    uint64_t state = seed;
    mz_plan_wait names[LONGEST];
    size_t length = run_anyhow(machine, &state, names), count = 0;
    size_t wanted = 1 + draw(&state, MOST_EDGES);
    bool agrees = draw(&state, 4) > 0;
    size_t j = 0;
    for (int tries = 0; length > 1 && tries < 20 && count < wanted; tries++) {
        size_t i = draw(&state, length);
        if (count == 0 || draw(&state, 2) > 0) /* or another one that leads to the same */
            j = draw(&state, length);
        if (names[i].thread == names[j].thread || (agrees && i > j))
            continue;
        edges[count] = (mz_edge){names[i], names[j]};
        edges[count++].from.count += !agrees && draw(&state, 8) == 0; /* perhaps one that never comes */
    }
    return count;
}
