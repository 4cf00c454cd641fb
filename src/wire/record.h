/* Recordings: in which order the counted operations of a program under a plan (plan.h) happened.
 *
 * One block of memory, shared between the program and who reads it: a header, and then slots, in the order of
 * the tickets that the threads took. An operation takes two, one before it and one after it, so that of two
 * operations of which the second begins after the first has ended the tickets say so, in every case. (Which
 * of two that overlap came first cannot be told from outside.) A slot whose `phase` is 0 was not finished. */
#ifndef MZ_WIRE_RECORD_H
#define MZ_WIRE_RECORD_H

#include <stdint.h>

#define MZ_RECORD_MAGIC UINT64_C(0x31636572617a616d) /* "mazarec1" */

/* The file descriptor of the block, and a number from which delays are drawn, in the environment. */
#define MZ_RECORD_ENVIRONMENT "MAZURKA_RECORD"
#define MZ_JITTER_ENVIRONMENT "MAZURKA_JITTER"

enum mz_record_phase {
    MZ_RECORD_NOTHING,
    MZ_RECORD_BEGIN,     /* an operation is about to happen; what it had to wait for has happened */
    MZ_RECORD_END,       /* it has happened */
    MZ_RECORD_THREAD,    /* `thread` begins: the `count`-th that thread `kind` created */
    MZ_RECORD_PLAN,      /* from now on plan `count` applies; or (`kind` is 1) one that has its first
                          * `place` events in common with it: it is not decided yet (symbolic.h) */
    MZ_RECORD_WAITS,     /* an operation has to wait, before its beginning, because the plan says so: for the
                          * `place`-th operation of thread `kind`, or (UINT32_MAX) for an input */
    MZ_RECORD_ITERATION, /* of a loop: `count` says what `thread` does there (mz_record_place) */
};

/* Of an iteration. */
enum mz_record_place {
    MZ_RECORD_BOUNDARY, /* it has come to a loop boundary */
    MZ_RECORD_OVER,     /* it ends */
    MZ_RECORD_OUTSIDE,  /* it goes outside (mz_outside_begin), */
    MZ_RECORD_JOINS,    /* and comes back into the iteration of the others */
    MZ_RECORD_OPENS,    /* it opens the boundary: those who are there go on */
    MZ_RECORD_ASLEEP,   /* then it waits for a signal, and counts anew, */
    MZ_RECORD_PASSED,   /* or others do not wait for it any more in this iteration */
    MZ_RECORD_AWAITS,   /* it waits for the end of another thread */
};
#define MZ_RECORD_PLACES                                                                                     \
    {                                                                                                        \
        "boundary", "over", "outside", "joins", "opens", "asleep", "passed", "awaits"                        \
    }

typedef struct mz_record {
    uint32_t phase;
    uint32_t thread, count;
    uint32_t kind;  /* mz_operation_kind */
    uint64_t place; /* the object's address, if it is none of the program's image; else its offset there */
} mz_record;

typedef struct mz_record_header {
    uint64_t magic;
    uint64_t capacity; /* slots */
    uint64_t taken;    /* tickets, atomic; those beyond the capacity were lost */
    uint64_t reserved;
} mz_record_header;

#endif
