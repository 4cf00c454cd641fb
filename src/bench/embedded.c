#include "bench/embedded.h"

#include <assert.h>
#include <string.h>

const mz_embedded *mz_embedded_find(const char *name)
{
    const mz_embedded *found = NULL;
    for (size_t i = 0; i < mz_embedded_count && !found; i++)
        if (strcmp(mz_embedded_files[i].name, name) == 0)
            found = &mz_embedded_files[i];
    assert(found); /* a file that a table names is in the list of meson.build */
    return found;
}
