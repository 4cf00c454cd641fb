/* The line that changes while a long check runs: on a terminal only. */
#ifndef MZ_SESSION_PROGRESS_H
#define MZ_SESSION_PROGRESS_H

#include "search/limits.h"

typedef struct mz_progress_line {
    const char *program;
    bool shown;
} mz_progress_line;

/* A progress callback; the context is the line. */
void mz_progress_show(void *line, const mz_progress *progress);
/* Of clients: how many of how many are explored. */
void mz_progress_show_clients(mz_progress_line *line, size_t done, size_t count, uint64_t traces,
                              double seconds);
void mz_progress_erase(mz_progress_line *line);

#endif
