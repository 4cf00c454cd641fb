/* Verification in a process of its own, while the program runs under what is verified so far.
 *
 *   mz_beside_begin()           the worker begins; it ends with the process that has begun it
 *   mz_beside_wait_for_plan()   until a complete execution is verified (or there will be none)
 *   mz_beside_take()            the plan as an image: from now on only its prefixes change
 *   …start the program with the file descriptor of mz_beside_image()…
 *   mz_beside_look()            whenever the handle is readable: how far it is; the program learns of it, too
 *   mz_beside_end()
 */
#ifndef MZ_SAFE_VERIFY_VERIFY_BESIDE_H
#define MZ_SAFE_VERIFY_VERIFY_BESIDE_H

#include "program/build/compile.h"
#include "report/report.h"
#include "safe/plan/symbolic.h"
#include "safe/verify/plan_settings.h"

typedef struct mz_beside mz_beside;

typedef struct mz_beside_status {
    uint32_t prefix, length;                    /* d, |T| of the plan; as long as there is none: 0 */
    uint32_t constraints, constraints_at_first; /* cross-thread edges of the prefix, and of all T */
    uint64_t traces;                            /* verified so far */
    double share;                               /* of all there are, estimated, 0 … 1; 1: all */
    bool finished;                              /* the worker is done or gone: the prefix stays as it is */
    bool has_bug;                               /* an execution fails; the prefix excludes it */
    bool has_set;      /* so does a constraint set, which is in force for what is started from now on; the
                          constraints are its own, and those that it was found among */
    char message[512]; /* of the bug; or why there is no plan, or why the search has ended early; or "" */
} mz_beside_status;

/* The settings are those of a check (which algorithm and which races are errors is decided here). NULL and
 * *error set if there is no worker. */
mz_beside *mz_beside_begin(const mz_plan_settings *settings, const mz_compiled *compiled, mz_error *error);

/* The file descriptor becomes readable when something has changed: for poll(). */
int mz_beside_handle(const mz_beside *beside);

struct mz_verification *mz_beside_verification(mz_beside *beside);

/* True: there is a plan. False: there is none and will be none; the status says why, and the exit code is
 * mz_beside_exit_code(). Returns early, with false and without a message, when interrupted. */
bool mz_beside_wait_for_plan(mz_beside *beside);
int mz_beside_exit_code(const mz_beside *beside);

/* The plan that there is: all of T, with the prefix as it is now. To be released. */
bool mz_beside_plan(mz_beside *beside, mz_symbolic_plan *symbolic);
/* Is it one of plain accesses, too? */
bool mz_beside_counts_accesses(mz_beside *beside);

/* The file descriptor of the image (of memory that lives as long as anybody has it open), or -1. Flags:
 * MZ_PLAN_WARNS, MZ_PLAN_RECORDS. Once. */
int mz_beside_take(mz_beside *beside, uint32_t flags, mz_place_finder find, const void *context);

/* Before that: how many bytes of freed memory the program keeps. */
void mz_beside_keep_freed(mz_beside *beside, const uint64_t *bytes);

/* What a program that is started now is to keep to: the same, or the constraint set that was found since. */
int mz_beside_image(const mz_beside *beside);
/* What programs keep to since the image was taken: the plan, with the prefix that they were told of last, and
 * the set, or NULL if there is none. */
const mz_symbolic_plan *mz_beside_plan_now(const mz_beside *beside);
const mz_symbolic_plan *mz_beside_set_now(const mz_beside *beside);
/* Write the plan of this moment to a file. */
bool mz_beside_save(mz_beside *beside, const char *path, mz_error *error);

void mz_beside_look(mz_beside *beside, mz_beside_status *status);

/* The errors found, each with its counterexample: for mz_trace_write_all and the printed report. NULL if
 * there is no report (yet). */
mz_report *mz_beside_report(mz_beside *beside, const char **threads, const char **places);

/* Ends the worker if it still runs. */
void mz_beside_end(mz_beside *beside);

#endif
