/* What the steps of a counterexample are in the source. */
#ifndef MZ_SESSION_SOURCES_H
#define MZ_SESSION_SOURCES_H

#include "base/words.h"
#include "report/report.h"

typedef struct mz_sources {
    mz_report_source *files;
    char **bytes; /* [file]: what its lines point into */
    size_t count, capacity, byte_capacity;
    mz_words statements;
} mz_sources;

/* Gives every step the text of its statement, where the file can be read. */
void mz_sources_show(mz_sources *sources, mz_report *report);
/* Gives the reports all files in which their counterexamples stand. */
void mz_sources_hand(mz_sources *sources, mz_report *reports, size_t count);
void mz_sources_release(mz_sources *sources);

#endif
