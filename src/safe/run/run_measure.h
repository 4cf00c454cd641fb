/* Trial runs of a program, to see how it runs and how long. Nobody sees their output, they get no input but
 * from a file, and one that takes longer than ten seconds is ended; but what they do to files and the like is
 * done: only who asks for it gets such runs. */
#ifndef MZ_SAFE_RUN_RUN_MEASURE_H
#define MZ_SAFE_RUN_RUN_MEASURE_H

#include "safe/run/run.h"

/* What is measured: the program under different plans, in turns. */
typedef struct mz_run_point {
    const char *path; /* the program: it may be one that counts all accesses */
    int plan;         /* file descriptor of its image; -1: none */
    double seconds;   /* found: the median */
} mz_run_point;

/* Of as many runs each as there is time for, but some in any case; the program's own path and plan do not
 * matter. False and *error set if one does not end by itself, or leaves verified ground. */
bool mz_run_measure(const mz_run_program *program, mz_run_point *points, size_t count, double seconds,
                    mz_error *error);

/* In which order the program does things if nothing keeps it; NULL and *error set as above. To be released
 * with mz_run_record_release. */
mz_record_header *mz_run_observe(const mz_run_program *program, int *descriptor, mz_error *error);

#endif
