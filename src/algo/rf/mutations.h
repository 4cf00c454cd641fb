/* Reverse search over observations: from one execution to the others that are to be visited from it. What the
 * words mean, and why it is right: algo/rf/rf.c. */
#ifndef MZ_ALGO_RF_MUTATIONS_H
#define MZ_ALGO_RF_MUTATIONS_H

#include "algo/rf/realise.h"
#include "search/search.h"

typedef enum mz_certainty { MZ_UNKNOWN, MZ_NO, MZ_YES } mz_certainty;

/* The place of an event in its execution's normal form: the number of its stage, and whether it is the pivot
 * of the stage; otherwise it is part of the detour. Of pivots, also whether they read the default in the
 * state before the stage, as far as that is known. (One number: there are many to copy.) */
typedef uint32_t mz_stage;
#define MZ_NO_STAGE UINT32_MAX /* later than all */

static inline mz_stage mz_detour_of(uint32_t number)
{
    return 4 * number;
}

static inline mz_stage mz_pivot_of(uint32_t number, mz_certainty is_default)
{
    return 4 * number + 1 + is_default;
}

static inline uint32_t mz_number_of(mz_stage stage)
{
    return stage / 4;
}

static inline bool mz_is_pivot(mz_stage stage)
{
    return stage % 4 > 0;
}

/* Of a pivot. */
static inline mz_certainty mz_reads_default(mz_stage stage)
{
    return (mz_certainty)(stage % 4 - 1);
}

typedef enum mz_expectation {
    MZ_WHATEVER,
    MZ_MUST_WRITE, /* a conditional operation that is to be read from */
    MZ_MUST_READ,  /* a conditional operation for whose write there is no place */
} mz_expectation;

/* An execution to visit: these events in this order, then the default. */
typedef struct mz_mutation {
    /* Positions, and the execution's length + i for the i-th operation to add. NULL: what is kept stands as
     * in the execution, what is added behind it. */
    const uint32_t *order;
    size_t length;
    size_t unmoved;         /* so many of the first ones are where they are in the execution */
    const uint32_t *set;    /* what is kept: so many events of each thread */
    const uint32_t *before; /* of the kept events, so many are of earlier stages */
    uint32_t stage;         /* that of what is added, and of what is kept but not in an earlier one */
    uint32_t count;         /* operations to add; the last one is the pivot of the stage */
    uint32_t threads[MZ_MOST_ADDITIONS];
    mz_expectation expected[MZ_MOST_ADDITIONS];
    mz_certainty is_default; /* does the pivot read what it does by default, if nothing is kept? */
} mz_mutation;

/* The last one of a thread. */
typedef struct mz_bend {
    uint32_t index; /* 0: it has none */
    uint32_t stage;
} mz_bend;

typedef struct mz_write {
    uint32_t thread, index, position;
} mz_write;

/* Accesses, and what those read from that are loose reads. */
typedef struct mz_footprint_room {
    mz_access *accesses;
    uint32_t *writers;
    uint32_t count;
    size_t access_capacity, writer_capacity;
} mz_footprint_room;

enum { MZ_SUBJECTS = 3 }; /* operations that are looked at at the same time */

typedef struct mz_mutations mz_mutations;
typedef void (*mz_adopt_mutation)(mz_search *search, const mz_mutation *mutation);

struct mz_mutations {
    mz_search *search;
    mz_observation observation;
    mz_realiser realiser;
    mz_adopt_mutation adopt;
    mz_stage *stages; /* [position] of the current execution */
    size_t stage_capacity;
    mz_bend bends[MZ_MAX_THREADS]; /* of the current execution: parts of detours, and higher choices */
    uint32_t bent_stage; /* its last stage with a bend, or a pivot that is known not to read the default */

    /* Of an execution that has ended. */
    mz_threads waiting;    /* those that can not go on */
    size_t given;          /* so many events are of stages before default_from */
    uint32_t default_from; /* from this stage on, each event is a stage of its own */
    uint32_t given_pivot;  /* the pivot of the last given stage does not stand before this position */
    mz_write *writes;      /* of loose locations, in the order of location, thread, index */
    uint32_t *first_write; /* [location]: in `writes` */
    bool has_writes;       /* they have been asked for */
    size_t write_capacity, first_write_capacity;
    bool may_move;    /* there may be operations whose locations depend on what they read */
    uint32_t *movers; /* those that read loosely, as positions */
    size_t mover_count, mover_capacity;

    /* Scratch. */
    mz_access *accesses; /* of the operations that are looked at, each with room for the largest */
    uint32_t *writers;   /* that they are to read from */
    uint32_t most_accesses;
    uint32_t *candidates, *order;
    size_t access_capacity, writer_capacity, candidate_count, candidate_capacity, order_capacity;
    /* Of subjects whose footprints move: the reads that are known so far, and all accesses. */
    mz_footprint_room known[MZ_SUBJECTS], whole[MZ_SUBJECTS];
    mz_access *touched; /* by such operations, whatever they have read */
    uint32_t *tried;    /* sets of events, each as long as a clock */
    size_t touched_count, touched_capacity, tried_count, tried_capacity;
};

void mz_mutations_release(mz_mutations *mutations);
/* A search begins. */
void mz_mutations_restart(mz_mutations *mutations);
/* The execution has ended. False if something about it has been learned that makes its mutations worthless.
 */
bool mz_mutations_begin(mz_mutations *mutations);
/* Its event at this position, which reads loosely, is the pivot of this stage and came by default: all that
 * it could have read from instead, in the events before it. In the order of their positions, and before the
 * other mutations. */
void mz_mutate_reading(mz_mutations *mutations, uint32_t position, uint32_t stage);
/* Operations that are to come before pivots. */
void mz_mutate_pairs(mz_mutations *mutations);

#endif
