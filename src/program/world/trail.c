#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "program/world/trail.h"

mz__trail mz__trail_now;

void mz__trail_create(void)
{
    mz__trail_now.bytes = mmap(NULL, MZ__TRAIL_RESERVED, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mz__trail_now.bytes == MAP_FAILED) {
        perror("mazurka: cannot reserve address space");
        exit(4);
    }
    mz__trail_now.serial = 1;
}

void mz__trail_release(void)
{
    size_t used = (mz__trail_now.used + 4095) & ~(size_t)4095;
    madvise(mz__trail_now.bytes + used, MZ__TRAIL_RESERVED - used, MADV_DONTNEED);
}

/* Back to the beginning of the copy that ends here. */
MZ_INLINE char *take_back_series(char *end, char *home, size_t size, size_t used)
{
    end -= sizeof(mz__series);
    mz__series series = *(mz__series *)(void *)end;
    end -= size + series.second_size;
    if (series.previous > used)
        return end; /* an older one will be written home */
    mz__copy_lines(home, end, size);
    mz__copy_lines(series.second_home, end + size, series.second_size);
    return end;
}

MZ_VECTOR void mz__trail_rewind(size_t used)
{
    mz__trail *trail = &mz__trail_now;
    char *first = trail->bytes + used, *end = trail->bytes + trail->used;
    while (end > first) {
        end -= sizeof(mz__trail_entry);
        mz__trail_entry entry = *(mz__trail_entry *)(void *)end;
        if (entry.size & MZ__IS_SERIES) {
            end = take_back_series(end, entry.home, MZ__SIZE(entry), used);
        } else if (entry.size & MZ__IS_KEPT) {
            end -= MZ__SIZE(entry);
        } else if (entry.size & MZ__WAS_ZERO) {
            memset(entry.home, 0, MZ__SIZE(entry));
        } else {
            end -= entry.size;
            mz__copy(entry.home, end, entry.size);
        }
    }
    trail->used = used;
    trail->serial++;
}
