/* Plans in memory: made from the first trace of a search (extract.h), turned into the image that the runtime
 * uses. What a plan is, the file and the image: wire/plan_format.h. Files hold one or several: symbolic.h. */
#ifndef MZ_SAFE_PLAN_PLAN_H
#define MZ_SAFE_PLAN_PLAN_H

#include "base/arena.h"
#include "base/error.h"
#include "wire/operation.h"
#include "wire/plan_format.h"

#define MZ_PLAN_NOWHERE UINT32_MAX

typedef struct mz_plan_event {
    uint32_t thread, count;
    mz_operation_kind kind;
    uint32_t picks; /* a thread, or MZ_PLAN_PICKS_NOBODY */
    uint32_t place; /* of plan->places, or MZ_PLAN_NOWHERE */
    uint32_t first_wait, wait_count;
    uint32_t work;    /* plain accesses of its thread since its previous event; not in files */
    const char *file; /* NULL: not known */
    uint32_t line;
    const char *text; /* the operation, for people */
} mz_plan_event;

/* An input that is read in T when its first `rank` events have happened (wire/symbolic_format.h). */
typedef struct mz_plan_read {
    const char *name;
    uint32_t rank;
    const char *file; /* NULL: not known */
    uint32_t line;
} mz_plan_read;

/* What was verified: a line of the file, "flag -O2". */
typedef struct mz_plan_line {
    const char *key, *text;
} mz_plan_line;

typedef struct mz_plan {
    mz_plan_line *lines; /* file, compiler, flag, link, argument */
    size_t line_count, line_capacity;
    const char *hash; /* of the compiled code; "" if it is not known */
    bool counts_accesses, needs_fences;
    uint64_t traces;                              /* verified */
    double share;                                 /* of all, 0 … 1 */
    const char *bug;                              /* an execution fails in this way; NULL: none known */
    mz_plan_thread threads[MZ_PLAN_MOST_THREADS]; /* how they came about, and when they end; their entries are
                                                     in the image only */
    uint32_t thread_count;
    /* It is a constraint set: there is no prefix (all events count as one), and an event that has no waits
     * may happen at any time. Of the trace only the events that are waited for or wait are left. */
    bool edges_only;
    bool iterations;         /* the set holds for each iteration anew: wire/plan_format.h */
    uint32_t prefix, length; /* d, |T| */
    /* In the order of T: all, or, from a file, the prefix and then some that follow. And at last those that
     * are pending when T ends, of threads that the end of the program leaves waiting. */
    mz_plan_event *events;
    size_t event_count, event_capacity;
    mz_plan_wait *waits;
    size_t wait_count, wait_capacity;
    mz_plan_read *reads; /* in the order of T */
    size_t read_count, read_capacity;
    const char **places; /* names of variables, "lock+0": what to turn into offsets */
    size_t place_count, place_capacity;
    mz_arena strings; /* all that is pointed to */
} mz_plan;

void mz_plan_release(mz_plan *plan);
void mz_plan_add_line(mz_plan *plan, const char *key, const char *text);
/* The text of the first line with this key; NULL: there is none. */
const char *mz_plan_line_of(const mz_plan *plan, const char *key);
void mz_plan_add_read(mz_plan *plan, const char *name, uint32_t rank, const char *file, uint32_t line);
/* Its number among the places. */
uint32_t mz_plan_add_place(mz_plan *plan, const char *name);

/* Are these events of two plans the same, are their waits? (Not the places: these are only checked.) */
bool mz_plan_same_event(const mz_plan *a, const mz_plan *b, size_t event);
bool mz_plan_same_waits(const mz_plan *a, const mz_plan *b, size_t event);
/* How many of the first events that are in both prefixes are the same, with the same waits. */
uint32_t mz_plan_common(const mz_plan *a, const mz_plan *b);

/* Do they ask the same of an execution, with prefixes of this length? What follows the prefix does not
 * matter, but for where it begins; nor does which variable it is that an event touches: that is only checked,
 * and is not when it depends on the inputs. */
bool mz_plan_asks_the_same(const mz_plan *a, const mz_plan *b, uint32_t prefix);
/* The plan is for those inputs, too, that have the other one: what depends on the inputs is no part of it.
 * (Of a constraint set that was found out when it was verified for all of them.) */
void mz_plan_blur(mz_plan *plan, const mz_plan *other);

/* How many waits there are in the first `prefix` events. */
size_t mz_plan_constraints(const mz_plan *plan, uint32_t prefix);
/* How many threads go on beyond the prefix, and wait for events of others in it when they come there. */
uint32_t mz_plan_threads_held(const mz_plan *plan);

/* ---- the image (plan_image.c) -----------------------------------------------------------------------------
 */

size_t mz_plan_image_bytes(const mz_plan *plan);
/* Into so many zeroed bytes. Flags: those of wire/plan_format.h that the plan does not say itself. The places
 * in its entries are numbers of plan->places still. */
void mz_plan_image_fill(const mz_plan *plan, uint32_t flags, void *memory);
/* Then this: offsets[number], MZ_PLAN_NO_PLACE for a variable that the program does not have, or more than
 * once. NULL: they are not known at all. */
void mz_plan_image_set_places(void *memory, const uint64_t *offsets);

#endif
