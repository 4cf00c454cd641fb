/* What the steps of a counterexample are in the source. */
#ifndef MZ_SESSION_SOURCES_H
#define MZ_SESSION_SOURCES_H

#include "base/words.h"
#include "report/report.h"

typedef struct mz_source {
    char *name, *bytes; /* each line ends with a zero; NULL if it cannot be read */
    char **lines;
    size_t line_count, line_capacity;
} mz_source;

typedef struct mz_sources {
    mz_source *files;
    size_t count, capacity;
    mz_words statements;
} mz_sources;

/* Gives every step the text of its statement, where the file can be read. */
void mz_sources_show(mz_sources *sources, mz_report *report);
void mz_sources_release(mz_sources *sources);

#endif
