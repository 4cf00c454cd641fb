#include "program/world/touched.h"

#include <stdbool.h>

void mz__each_touched(size_t from, mz__tell_touched *tell, void *context)
{
    const mz__trail *trail = &mz__trail_now;
    const char *first = trail->bytes + from, *end = trail->bytes + trail->used;
    while (end > first) {
        end -= sizeof(mz__trail_entry);
        const mz__trail_entry *entry = (const mz__trail_entry *)(const void *)end;
        size_t size = MZ__SIZE(*entry);
        if (entry->size & MZ__IS_SERIES) {
            end -= sizeof(mz__series);
            end -= size + ((const mz__series *)(const void *)end)->second_size;
            continue;
        }
        bool is_zero = entry->size & MZ__WAS_ZERO;
        end -= is_zero ? 0 : size;
        if (!(entry->size & MZ__IS_KEPT))
            tell(context, (uintptr_t)entry->home, size, is_zero ? NULL : end);
    }
}
