/* A counterexample that is run again. */
#ifndef MZ_SESSION_REPLAY_H
#define MZ_SESSION_REPLAY_H

#include "model/model.h"
#include "session/sources.h"
#include "session/trace_file.h"

typedef struct mz_replay {
    mz_report
        report; /* its one error, and in `reason` the first difference; unsafe: it fails in the same way */
    /* What it points to. */
    mz_trace trace;
    mz_model *model;
    mz_machine *machine;
    mz_report_error shown;
    mz_text words;
    mz_sources sources;
} mz_replay;

/* The file. False and *error set if it is none, or its threads are too many. To be released in either case.
 */
bool mz_replay_load(mz_replay *replay, const char *file, mz_error *error);
/* *error set if there is nothing that could be run. */
void mz_replay_run(mz_replay *replay, mz_error *error);
void mz_replay_release(mz_replay *replay);

#endif
