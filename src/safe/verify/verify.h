/* Verifying a program for safe execution: a search with source sets, in a worker process, that leaves a plan
 * (the first trace, as the text of wire/plan_format.h) and then makes its prefix shorter and shorter.
 * `mazurka plan` waits for it, verify_beside.h does not. */
#ifndef MZ_SAFE_VERIFY_VERIFY_H
#define MZ_SAFE_VERIFY_VERIFY_H

#include <stdatomic.h>

#include "safe/plan/symbolic.h"
#include "safe/verify/minimise.h"
#include "safe/verify/plan_settings.h"
#include "session/program.h"

enum { MZ_NO_PLAN, MZ_HAS_PLAN, MZ_PLAN_IS_TAKEN };

enum { MZ_AT_WORK, MZ_SHOULD_REST, MZ_RESTS };

/* What both processes see, at the same address. */
typedef struct mz_verification {
    _Atomic uint32_t state; /* MZ_NO_PLAN … */
    const char *text;       /* the plan: all of the trace */
    size_t length;
    _Atomic uint32_t prefixes[MZ_MOST_PLANS]; /* of its plans now */
    _Atomic uint64_t traces, share;           /* share: in millionths */
    _Atomic uint32_t first_trace;             /* the rule (mz_first_trace) that the trace was found by */
    double cost;                              /* of the first trace (safe/plan/cost.h) */
    _Atomic uint32_t rest;                    /* MZ_AT_WORK …; see mz_verification_pause() */
    _Atomic int worker;                       /* its process; 0: it has not begun, -1: it is done */
    _Atomic bool enough;                      /* the search is to end */
    double overhead;                          /* measured last, 0.1: 10 %; -1: not at all */
    char trouble[256];                        /* why the overhead was not measured */
    char valuation[256];                      /* with these inputs no execution is safe; "": that is not so */
    char obstacle[256];                       /* why longer prefixes cannot be enforced; "" if they can */
    mz_minimised minimised;                   /* --minimise */
    /* When the plan is taken: a constraint set, which may be used instead from then on. */
    _Atomic bool has_set;
    const char *set_text;
    size_t set_length;
    /* What all depends on that was verified by now: lines, as they stand in a plan; NULL: as in its text. */
    _Atomic(const char *) premises;
    _Atomic bool reported; /* the report is there, although the worker goes on */
} mz_verification;

typedef struct mz_verify_job {
    const mz_plan_settings *settings;
    const mz_compiled *compiled;
    mz_verification *verification;
    int changed; /* a byte is written there whenever something has changed; -1: nowhere */
    /* The plan is used as soon as there is one, while the worker goes on: if a bug is found, a constraint set
     * is looked for after that. */
    bool beside;
} mz_verify_job;

/* For mz_run_worker. Leaves a report with the errors found; its verdict is that of the search. */
void mz_verify(const void *job, mz_shared *shared);

/* What was verified, as lines of the plan. */
void mz_plan_describe_program(mz_plan *plan, const mz_settings *settings);

/* In memory that both processes see. NULL: there is no memory. */
mz_verification *mz_verification_create(void);
void mz_verification_release(mz_verification *verification);
/* The worker is gone, or done: its plan stays as it is. */
bool mz_verification_is_over(const mz_verification *verification);
/* The worker rests, so that others can measure time, or goes on. */
void mz_verification_pause(mz_verification *verification, bool rest);
/* The plan as it is now, with what is known about it. False if there is none. */
bool mz_verification_plan(mz_verification *verification, mz_symbolic_plan *symbolic);
/* The constraint set that was found while the plan was in use. False if there is none. */
bool mz_verification_set(const mz_verification *verification, mz_symbolic_plan *symbolic);

#endif
