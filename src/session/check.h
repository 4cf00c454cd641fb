/* A check from beginning to end: every algorithm that was asked for on each of the models, or on the program.
 */
#ifndef MZ_SESSION_CHECK_H
#define MZ_SESSION_CHECK_H

#include "model/model.h"
#include "session/result.h"
#include "session/settings/trace_file.h"
#include "session/sources.h"

typedef struct mz_check {
    mz_report *reports;
    size_t count;
    /* What they point to. */
    mz_model **models;
    mz_machine **machines;
    size_t model_count;
    mz_result *results; /* of models */
    mz_trace_files traces;
    mz_sources sources;
    mz_text late; /* why a program was not built */
} mz_check;

/* Counterexamples are written to files on the way. *error set if there is nothing that could be checked. To
 * be released in either case. */
void mz_check_run(mz_check *check, const mz_settings *settings, mz_error *error);
void mz_check_release(mz_check *check);

#endif
