/* What `mazurka run` is asked for on its command line. */
#ifndef MZ_CMD_RUN_REQUEST_H
#define MZ_CMD_RUN_REQUEST_H

#include "cmd/settings.h"

typedef struct mz_run_request {
    mz_settings settings; /* for the verifier: what 'mazurka plan' would be told */
    const char *plan, *record, *jitter;
    bool warns, status, keeps_prefix;
    bool has_quarantine;
    uint64_t quarantine; /* bytes */
    uint64_t repeat;     /* 0: once, as it is */
    enum { MZ_INPUTS_AS_GIVEN, MZ_INPUTS_AT_RANDOM, MZ_INPUTS_ALL } inputs;
    mz_words given; /* NAME=VALUE */
} mz_run_request;

/* *error set if the words are wrong. */
void mz_run_request_parse(mz_run_request *request, int argc, char **argv, mz_error *error);
void mz_run_print_help(void);

#endif
