/* Files that are part of the program (tools/embed.py): the page of a report, what gdb is told. */
#ifndef MZ_REPORT_ASSETS_H
#define MZ_REPORT_ASSETS_H

#include <stddef.h>

typedef struct mz_asset {
    const char *name; /* "page.js" */
    const char *text; /* terminated */
    size_t length;
} mz_asset;

extern const mz_asset mz_asset_files[];
extern const size_t mz_asset_count;

/* There must be one of that name. */
const char *mz_asset_text(const char *name);

#endif
