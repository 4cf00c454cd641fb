#include "estimate/waypoints.h"

#include <string.h>

#include "base/memory.h"

void mz_waypoints_init(mz_waypoints *w, mz_machine *machine)
{
    *w = (mz_waypoints){.machine = machine};
    w->lengths = mz_allocate_zeroed(machine->thread_capacity, sizeof *w->lengths);
}

static void release_set(mz_waypoint_set *set)
{
    mz_release(set->snapshots);
    mz_release(set->lengths);
    mz_release(set->ends);
}

void mz_waypoints_release(mz_waypoints *w)
{
    release_set(&w->now);
    release_set(&w->next);
    mz_release(w->lengths);
    mz_release(w->steps);
    mz_release(w->made);
    mz_release(w->way);
    mz_release(w->wanted);
    mz_release(w->choices.made);
}

void mz_waypoints_clear(mz_waypoints *w)
{
    w->now.count = w->next.count = 0;
    w->step_count = w->made_count = w->way_length = 0;
}

static bool has_snapshots(const mz_waypoints *w)
{
    return w->machine->class->restore != NULL;
}

/* What was just done is the end of the current way. */
static void note_step(mz_waypoints *w, uint32_t thread, const mz_choices *choices)
{
    if (has_snapshots(w))
        return;
    w->steps = mz_grow(w->steps, &w->step_capacity, w->step_count + 1, sizeof *w->steps);
    w->made = mz_grow(w->made, &w->made_capacity, w->made_count + choices->count, sizeof *w->made);
    w->way = mz_grow(w->way, &w->way_capacity, w->way_length + 1, sizeof *w->way);
    for (size_t i = 0; i < choices->count; i++)
        w->made[w->made_count + i] = choices->made[i];
    w->steps[w->step_count] = (mz_way_step){
        .before = w->way_length > 0 ? w->way[w->way_length - 1] : (uint32_t)w->step_count,
        .depth = (uint32_t)w->way_length,
        .thread = thread,
        .choice_count = (uint32_t)choices->count,
        .first_choice = w->made_count,
    };
    w->made_count += choices->count;
    w->way[w->way_length++] = (uint32_t)w->step_count++;
}

mz_outcome mz_waypoints_reset(mz_waypoints *w, mz_choices *choices)
{
    mz_outcome outcome = w->machine->class->reset(w->machine, choices);
    memset(w->lengths, 0, w->machine->thread_capacity * sizeof *w->lengths);
    w->way_length = 0;
    note_step(w, 0, choices);
    return outcome;
}

mz_outcome mz_waypoints_step(mz_waypoints *w, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    mz_outcome outcome = w->machine->class->step(w->machine, thread, choices, executed);
    w->lengths[thread]++;
    note_step(w, thread, choices);
    return outcome;
}

void mz_waypoints_keep(mz_waypoints *w)
{
    mz_waypoint_set *set = &w->next;
    size_t threads = w->machine->thread_capacity, bytes = w->machine->snapshot_bytes, i = set->count++;
    set->lengths = mz_grow(set->lengths, &set->length_capacity, (i + 1) * threads, sizeof *set->lengths);
    memcpy(set->lengths + i * threads, w->lengths, threads * sizeof *w->lengths);
    if (has_snapshots(w)) {
        set->snapshots = mz_grow(set->snapshots, &set->snapshot_capacity, (i + 1) * bytes, 1);
        w->machine->class->save(w->machine, set->snapshots + i * bytes);
    } else {
        set->ends = mz_grow(set->ends, &set->end_capacity, i + 1, sizeof *set->ends);
        set->ends[i] = w->way[w->way_length - 1];
    }
}

void mz_waypoints_turn(mz_waypoints *w)
{
    mz_waypoint_set old = w->now;
    w->now = w->next;
    w->next = old;
    w->next.count = 0;
}

/* Perform the step that a way has at this depth. */
static void repeat_step(mz_waypoints *w, uint32_t which)
{
    const mz_way_step *step = &w->steps[which];
    mz_operation executed;
    const mz_choice *choices = step->choice_count > 0 ? w->made + step->first_choice : NULL;
    mz_choices_prescribe(&w->choices, choices, step->choice_count);
    if (step->depth == 0)
        w->machine->class->reset(w->machine, &w->choices);
    else
        w->machine->class->step(w->machine, step->thread, &w->choices, &executed);
}

/* Waypoints of a generation are in the order in which a depth-first search would come by: the ways of two
 * neighbours have much in common. */
static size_t repeat_way(mz_waypoints *w, uint32_t end)
{
    size_t length = w->steps[end].depth + 1, common = 0;
    w->wanted = mz_grow(w->wanted, &w->wanted_capacity, length, sizeof *w->wanted);
    w->way = mz_grow(w->way, &w->way_capacity, length, sizeof *w->way);
    for (size_t d = length; d-- > 0; end = w->steps[end].before)
        w->wanted[d] = end;
    while (common < length && common < w->way_length && w->wanted[common] == w->way[common])
        common++;
    if (common > 0 && common < w->way_length)
        w->machine->class->rewind(w->machine, common - 1); /* the first step is the reset */
    for (size_t d = common; d < length && !w->machine->begin_again; d++)
        repeat_step(w, w->wanted[d]);
    memcpy(w->way, w->wanted, length * sizeof *w->way);
    w->way_length = length;
    return length - common;
}

size_t mz_waypoints_go_to(mz_waypoints *w, size_t i)
{
    size_t threads = w->machine->thread_capacity;
    memcpy(w->lengths, w->now.lengths + i * threads, threads * sizeof *w->lengths);
    if (!has_snapshots(w))
        return repeat_way(w, w->now.ends[i]);
    w->machine->class->restore(w->machine, w->now.snapshots + i * w->machine->snapshot_bytes);
    return 1;
}
