/* A program that is run so that only verified schedules happen: what was asked for. */
#ifndef MZ_SAFE_RUN_RUN_REQUEST_H
#define MZ_SAFE_RUN_RUN_REQUEST_H

#include "safe/verify/plan_settings.h"
#include "wire/plan_format.h"

typedef enum mz_inputs { MZ_INPUTS_AS_GIVEN, MZ_INPUTS_AT_RANDOM, MZ_INPUTS_ALL } mz_inputs;

typedef struct mz_run_request {
    const char *plan;   /* a file, or "none"; NULL: it is verified */
    const char *output; /* where the plan goes that the verifier has come to; NULL: nowhere */
    const char *record, *jitter;
    mz_on_divergence on_divergence;
    bool status, keeps_prefix;
    bool becomes; /* the program takes the place of this process; there is a plan then */
    bool has_quarantine;
    uint64_t quarantine; /* bytes */
    uint64_t repeat;     /* 0: once, as it is */
    mz_inputs inputs;
    mz_words given; /* NAME=VALUE */
} mz_run_request;

/* The exit code: that of the program, unless *error is set or it was not started. Its status, and at the end
 * of many runs how they went, is printed on the way. */
int mz_run_program_under_plan(const mz_run_request *request, mz_plan_settings *settings, mz_error *error);

#endif
