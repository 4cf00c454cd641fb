/* Files that are parts of the checker: made by tools/embed.py. */
#ifndef MZ_PROGRAM_BUILD_EMBEDDED_FILES_H
#define MZ_PROGRAM_BUILD_EMBEDDED_FILES_H

#include <stddef.h>

/* libmazurka_run.a; hooks.h. */
typedef struct mz__run_library {
    const char *name, *text;
    size_t length;
} mz__run_library;

extern const mz__run_library mz__run_library_files[];
extern const size_t mz__run_library_count;

/* The files of cxx/. */
typedef struct mz__cxx_source {
    const char *name, *text;
    size_t length;
} mz__cxx_source;

extern const mz__cxx_source mz__cxx_source_files[];
extern const size_t mz__cxx_source_count;

#endif
