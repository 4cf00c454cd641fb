/* States of a machine to come back to, many at a time: as snapshots where the machine has them, otherwise as
 * the way that leads there, repeated from where it parts from the current one. They come in generations: what
 * is kept while one is visited becomes the next. */
#ifndef MZ_ESTIMATE_WAYPOINTS_H
#define MZ_ESTIMATE_WAYPOINTS_H

#include "machine/machine.h"

/* One step of a way. */
typedef struct mz_way_step {
    uint32_t before; /* the step before it; at depth 0, the reset: itself */
    uint32_t depth;
    uint32_t thread;
    uint32_t choice_count;
    size_t first_choice;
} mz_way_step;

typedef struct mz_waypoint_set {
    size_t count;
    char *snapshots;
    uint32_t *lengths; /* [waypoint][thread] */
    uint32_t *ends;    /* [waypoint]: the last step that leads there */
    size_t snapshot_capacity, length_capacity, end_capacity;
} mz_waypoint_set;

typedef struct mz_waypoints {
    mz_machine *machine;
    uint32_t *lengths; /* [thread]: how many operations it has performed on the current way */
    mz_waypoint_set now, next;
    mz_way_step *steps; /* these and what follows: where there are no snapshots */
    mz_choice *made;
    uint32_t *way; /* [depth]: the current one */
    uint32_t *wanted;
    mz_choices choices;
    size_t step_count, made_count, way_length;
    size_t step_capacity, made_capacity, way_capacity, wanted_capacity;
} mz_waypoints;

void mz_waypoints_init(mz_waypoints *waypoints, mz_machine *machine);
void mz_waypoints_release(mz_waypoints *waypoints);
/* Forget all of them. */
void mz_waypoints_clear(mz_waypoints *waypoints);

/* To the machine's beginning, and one step further. */
mz_outcome mz_waypoints_reset(mz_waypoints *waypoints, mz_choices *choices);
mz_outcome mz_waypoints_step(mz_waypoints *waypoints, uint32_t thread, mz_choices *choices,
                             mz_operation *executed);

/* The current state becomes the last one of the next generation. */
void mz_waypoints_keep(mz_waypoints *waypoints);
/* The next generation becomes the current one. */
void mz_waypoints_turn(mz_waypoints *waypoints);
/* Returns how many steps it took. */
size_t mz_waypoints_go_to(mz_waypoints *waypoints, size_t waypoint);

#endif
