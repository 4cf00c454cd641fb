/* The files of cxx/, as parts of the checker: made by tools/embed.py. */
#ifndef MZ_PROGRAM_BUILD_CXX_SOURCES_H
#define MZ_PROGRAM_BUILD_CXX_SOURCES_H

#include <stddef.h>

typedef struct mz__cxx_source {
    const char *name, *text;
    size_t length;
} mz__cxx_source;

extern const mz__cxx_source mz__cxx_source_files[];
extern const size_t mz__cxx_source_count;

#endif
