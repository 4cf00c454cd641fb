/* Files that are part of the program: tools/embed.py writes them into it. */
#ifndef MZ_BENCH_EMBEDDED_H
#define MZ_BENCH_EMBEDDED_H

#include <stddef.h>

typedef struct mz_embedded {
    const char *name; /* "ring.dlang" */
    const char *text; /* terminated */
    size_t length;
} mz_embedded;

extern const mz_embedded mz_embedded_files[];
extern const size_t mz_embedded_count;

/* There must be one of that name. */
const mz_embedded *mz_embedded_find(const char *name);

#endif
