/* libmazurka_run.a, as part of the checker: made by tools/embed.py. */
#ifndef MZ_PROGRAM_BUILD_RUN_LIBRARY_H
#define MZ_PROGRAM_BUILD_RUN_LIBRARY_H

#include <stddef.h>

typedef struct mz__run_library {
    const char *name, *text;
    size_t length;
} mz__run_library;

extern const mz__run_library mz__run_library_files[];
extern const size_t mz__run_library_count;

#endif
