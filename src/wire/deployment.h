/* A program that `mazurka cc` has linked is started by whoever likes: how it finds its plan then, and what it
 * shows of itself while it runs.
 *
 * The environment variable MAZURKA_PLAN comes first:
 *   descriptor:N:NAME   from `mazurka run`: the image is open as descriptor N; -1: there is to be no plan
 *   none                from an operator: no constraints. Not for a program that refuses to run so
 *   FILE                from an operator: a plan of `mazurka plan`. What the file means in this program only
 *                       the checker knows: the program gives way to `mazurka run --exec`, which starts it
 *                       again with a descriptor
 * Otherwise the plan is the one in the section MZ_PLAN_SECTION of its own file, if it was linked with one:
 * a header, and then the image. If there is none, what is to happen was decided when it was linked. */
#ifndef MZ_WIRE_DEPLOYMENT_H
#define MZ_WIRE_DEPLOYMENT_H

#include <stdint.h>

#include "wire/plan_format.h"

#define MZ_PLAN_ENVIRONMENT       "MAZURKA_PLAN"
#define MZ_PLAN_DESCRIPTOR_PREFIX "descriptor:"
#define MZ_PLAN_SECTION           ".mazurka.plan"
/* The variable of the program that holds an mz_without_plan: one byte. */
#define MZ_WITHOUT_PLAN_SYMBOL "mz__without_plan"

typedef enum mz_without_plan {
    MZ_WITHOUT_PLAN_FREE,   /* it runs without constraints */
    MZ_WITHOUT_PLAN_WARN,   /* it says so, and does */
    MZ_WITHOUT_PLAN_REFUSE, /* it says so, and ends with MZ_PLAN_EXIT_DIVERGED */
    MZ_WITHOUT_PLAN_NEVER,  /* it has a plan of its own: if that cannot be found, it is as above */
} mz_without_plan;

#define MZ_EMBEDDED_MAGIC UINT64_C(0x3164656d657a616d) /* "mazemed1" */
enum { MZ_MOST_PLAN_NAME = 239 };

/* Of the section; its size is a multiple of 16, and so the image is aligned. */
typedef struct mz_embedded_plan {
    uint64_t magic;
    char name[MZ_MOST_PLAN_NAME + 1]; /* for people: the file that the plan was in */
    uint64_t bytes;                   /* of the image behind it */
} mz_embedded_plan;

/* ---- status ----------------------------------------------------------------------------------------------
 *
 * What `mazurka attach` looks at: memory that the program shares as an open descriptor, an anonymous file of
 * this name. So it can be found and read while the program runs, by its owner, without stopping it. */

#define MZ_STATUS_FILE  "mazurka-status"
#define MZ_STATUS_MAGIC UINT64_C(0x317574617473616d) /* "mastatu1" */

typedef enum mz_plan_state {
    MZ_STATE_NO_PLAN,  /* no constraints: there is no plan */
    MZ_STATE_PLANNED,  /* it keeps to the plan */
    MZ_STATE_DIVERGED, /* it has left verified ground, and goes on without constraints */
    MZ_STATE_SERIAL,   /* it has left verified ground, and goes on with one thread at a time */
} mz_plan_state;

typedef struct mz_status_page {
    uint64_t magic;
    uint32_t state; /* mz_plan_state; atomic, as is all that follows but for the texts */
    uint32_t is_set, iterates;
    uint32_t threads;                     /* the plan's */
    uint32_t constraints;                 /* of the plan when the program began */
    uint64_t waits[MZ_PLAN_MOST_THREADS]; /* of each thread: how often it had to wait for the plan */
    char plan[MZ_MOST_PLAN_NAME + 1];     /* its name; empty: it has none */
    char divergence[512];                 /* what was said; valid if the state says so */
} mz_status_page;

#endif
