/* A counterexample that is run again. */
#ifndef MZ_SESSION_REPLAY_H
#define MZ_SESSION_REPLAY_H

#include "base/words.h"
#include "model/model.h"
#include "program/program.h"
#include "session/settings/trace_file.h"
#include "session/sources.h"

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
    mz_words changed; /* sources that are not what they were */
    mz_words notes;
} mz_replay;

/* What a debugger reads of a program that is replayed, at a place where it stops before each step. Numbers of
 * 64 bits, so that nobody needs to know types. */
typedef struct mz_debug_table {
    uint64_t step, steps, thread; /* which is next, from 0; of how many; whose it is */
    uint64_t count;               /* of frames */
    mz_native_frame frames[MZ_MAX_THREADS];
} mz_debug_table;

/* The file. False and *error set if it is none, or its threads are too many. To be released in either case.
 */
bool mz_replay_load(mz_replay *replay, const char *file, mz_error *error);
/* *error set if there is nothing that could be run. */
void mz_replay_run(mz_replay *replay, mz_error *error);
void mz_replay_release(mz_replay *replay);

#endif
