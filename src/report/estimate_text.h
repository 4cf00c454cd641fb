/* How large an exploration would be: for people and for programs. */
#ifndef MZ_REPORT_ESTIMATE_TEXT_H
#define MZ_REPORT_ESTIMATE_TEXT_H

#include "report/report.h"

/* One algorithm. */
typedef struct mz_size_row {
    const char *algorithm;
    bool known;        /* false: `reason` says why nothing can be said */
    bool exact;        /* it was explored to the end */
    bool exact_traces; /* or at least another was that explores the same */
    double traces, executions, seconds;
    char reason[256];
} mz_size_row;

typedef struct mz_size_report {
    const char *program;
    const char *recommended; /* the algorithm; NULL if there is nothing to choose */
    bool error_found;
    bool by_states;       /* recommended with --stateful, which came to its end */
    double state_seconds; /* in this time */
    mz_memory memory;     /* MZ_MEMORY_AUTO: interleavings */
    double seconds;       /* what the estimate took */
    const mz_size_row *rows;
    size_t row_count;
} mz_size_report;

void mz_size_text(const mz_size_report *report, mz_text *out);
void mz_sizes_json(const mz_size_report *reports, size_t count, mz_text *out);

#endif
