/* Constraint sets (constrained.h): the one that a plan amounts to, and a small one that is enough.
 *
 * The two rules of a plan (wire/plan_format.h) are a constraint set, too: its waits, and an edge from each of
 * the last events of the prefix to each thread's next event. To begin with, that set excludes whatever
 * failed. Most of its edges have nothing to do with the failures: they are left out as long as what becomes
 * possible then can be verified, all of it. So an edge goes away wherever it stands, not only at the end of
 * the prefix: the document's rule for a constraint (e1, e2) in the middle of it, applied to sets. */
#ifndef MZ_SAFE_PLAN_SMALL_SET_H
#define MZ_SAFE_PLAN_SMALL_SET_H

#include "safe/plan/constrained.h"
#include "safe/plan/plan.h"

typedef struct mz_edges {
    mz_edge *edges;
    size_t count, capacity;
} mz_edges;

void mz_edges_release(mz_edges *set);
/* The rules of the plan as edges, in the order of the events that they lead to. */
void mz_edges_of_plan(const mz_plan *plan, mz_edges *set);
/* The plan, which has a prefix, becomes these edges between its events; without any, its prefix is empty. */
void mz_plan_keep_edges(mz_plan *plan, const mz_edges *set);

typedef enum mz_trial { MZ_TRIAL_SAFE, MZ_TRIAL_UNSAFE, MZ_TRIAL_NO_TIME } mz_trial;

typedef struct mz_minimisation {
    /* Given. */
    const mz_plan *plan; /* with all events of its trace */
    /* Are all executions under these constraints safe? */
    mz_trial (*verify)(void *context, const mz_edges *set);
    void *context;
    /* Found. */
    mz_edges set;    /* verified */
    bool has_set;    /* there is one at all */
    bool is_minimal; /* no edge of it can be left out; false: the time was up before that was known */
} mz_minimisation;

/* The same answers of `verify` give the same set. */
void mz_minimise(mz_minimisation *m);

/* What came of looking for one. */
typedef struct mz_minimised {
    bool tried;
    bool has_set;    /* the plan is a constraint set now, or nothing is constrained */
    bool is_minimal; /* no constraint of it can be left out; false: the time was up */
    uint32_t before; /* constraints at first */
    uint32_t after;
    uint64_t trials, traces; /* sets that were looked at; traces of the one that was kept */
    char reason[256];        /* why there is no set */
} mz_minimised;

#endif
