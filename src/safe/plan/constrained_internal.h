/* What a program under constraints consists of: for constrained.c and quiescence.c. */
#ifndef MZ_SAFE_PLAN_CONSTRAINED_INTERNAL_H
#define MZ_SAFE_PLAN_CONSTRAINED_INTERNAL_H

#include "safe/plan/constrained.h"

/* An operation that is named by an edge. */
typedef struct point {
    uint32_t thread, count;
    uint32_t first_source, source_count; /* of `sources`: those that it waits for */
    bool awaited;
} point;

/* What changes. In one piece, with room for the points at its end. */
typedef struct progress {
    mz_status status;
    mz_threads held;                 /* come to a point whose sources have not all happened */
    mz_threads arrived;              /* come to a point: their pending operation is that of next[] */
    uint32_t events[MZ_MAX_THREADS]; /* of each thread so far */
    uint32_t next[MZ_MAX_THREADS];   /* of the points of each thread the first that has not happened */
    mz_threads over;                 /* they slept when nobody else could go on (quiescence.c); */
    uint32_t before[MZ_MAX_THREADS]; /* how many events of each thread there were then */
    uint32_t happened[];             /* [point]: as which event of its thread, from 1; 0: not yet */
} progress;

typedef struct constrained {
    mz_machine base;
    mz_machine_class class;
    mz_machine *inner;
    bool made_rounds; /* it did so before */
    bool counts_accesses;
    point *points; /* by thread, and then by count */
    size_t point_count;
    uint32_t *sources; /* points */
    mz_threads named;  /* threads with points */
    uint32_t end[MZ_MAX_THREADS];
    progress *now;
    size_t bytes;  /* of a progress */
    char *earlier; /* [steps]: before each step, for a machine that goes back by undoing steps */
    size_t earlier_capacity, steps;
    mz_cause pending_causes[MZ_MAX_THREADS], executed_causes[MZ_MAX_THREADS];
    void (*watch)(void *context, uint32_t thread, uint32_t count); /* NULL: nobody does */
    void *watch_context;
} constrained;

/* Threads are held. If nobody else can go on: those that sleep are through with the iteration, which may let
 * some of the held ones go. False: none has become so. */
bool mz_constrained_is_quiet(constrained *c);

#endif
