#include "report/assets.h"

#include <assert.h>
#include <string.h>

const char *mz_asset_text(const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; i < mz_asset_count && !found; i++)
        if (strcmp(mz_asset_files[i].name, name) == 0)
            found = mz_asset_files[i].text;
    assert(found); /* it is in the list of meson.build */
    return found;
}
