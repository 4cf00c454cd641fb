/* An estimate from beginning to end: how large the exploration of each model, or of the program, is. */
#ifndef MZ_SESSION_ESTIMATE_H
#define MZ_SESSION_ESTIMATE_H

#include "report/estimate_text.h"
#include "session/settings/settings.h"

typedef struct mz_size_reports {
    mz_size_report *reports;
    size_t count;
} mz_size_reports;

/* `started`: since when the time is counted. *error set if there is nothing to estimate. To be released in
 * either case. */
void mz_estimate_run(mz_size_reports *sizes, const mz_settings *settings, double started, mz_error *error);
void mz_estimate_release(mz_size_reports *sizes);

#endif
