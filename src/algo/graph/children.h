/* What may come of a graph by one more operation: the children of the graph in the reverse search
 * (explore.c). */
#ifndef MZ_ALGO_GRAPH_CHILDREN_H
#define MZ_ALGO_GRAPH_CHILDREN_H

#include "algo/graph/graph.h"
#include "algo/graph/model.h"

/* An operation that is about to happen, as events. */
typedef struct mz__upcoming {
    uint32_t thread, operation, slot;
    bool reads, writes;  /* an update is both */
    bool is_conditional; /* whether it writes depends on what it reads */
    bool is_lock, is_plain, is_object, shares, is_loose;
    bool waits;       /* an operation on an object that may have to wait */
    uint32_t gives;   /* waiting: the slot of the mutex that it gives back, + 1 */
    bool is_promised; /* its read is in the graph already */
    uint8_t order, failure_order;
    uint32_t first_cause, cause_count;
    uint32_t
        rank_in_sight; /* writes of a smaller rank are overlooked: not read, and nothing put behind them */
} mz__upcoming;

typedef struct mz__child {
    mz__upcoming upcoming;
    bool writes;       /* with what it reads here */
    int32_t from;      /* where it reads from */
    int32_t older;     /* it writes behind this one */
    int32_t revisited; /* the read that then reads from it, or MZ__NO_EVENT */
} mz__child;

typedef struct mz__children {
    const mz__memory_model *model;
    mz__relation scratch[MZ__MODEL_SCRATCH];
    mz__child *list; /* of all graphs on the path, a stack */
    size_t count, capacity;
    bool only_forward;      /* nothing revisits */
    const mz_cause *causes; /* of all events */
    uint32_t *prefix;       /* scratch: a clock */
    bool *kept;
    int32_t *number;
    size_t kept_capacity, number_capacity;
} mz__children;

void mz__children_init(mz__children *children, const mz__memory_model *model, uint32_t threads);
void mz__children_release(mz__children *children);

/* Find out what an operation on a location cannot overlook. */
void mz__look_back(mz__children *children, const mz__graph *graph, mz__upcoming *upcoming);
/* Those of the graph by this operation, if it reads from this write: added to the list. `forward`: it can
 * happen in the graph as it is. */
void mz__add_children(mz__children *children, const mz__graph *graph, const mz__upcoming *upcoming,
                      int32_t from, bool writes, bool forward);
/* The graph becomes this child of it, which revisits nothing. False if the memory model does not allow it:
 * then it is as it was. */
bool mz__extend_graph(mz__children *children, mz__graph *graph, const mz__child *child);
/* Makes the child, in a graph that is not yet anything. False if the memory model does not allow it. Its last
 * step is that of the operation. */
bool mz__make_child(mz__children *children, const mz__graph *graph, const mz__child *child, mz__graph *made);

#endif
