#include "native/trail.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define RESERVED ((size_t)1 << 38)

mz__trail mz__trail_now;

void mz__trail_create(void)
{
    mz__trail_now.bytes =
        mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mz__trail_now.bytes == MAP_FAILED) {
        perror("mazurka: cannot reserve address space");
        exit(4);
    }
    mz__trail_now.serial = 1;
}

void mz__trail_rewind(size_t used)
{
    mz__trail *trail = &mz__trail_now;
    while (trail->used > used) {
        trail->used -= sizeof(mz__trail_entry);
        mz__trail_entry entry = *(mz__trail_entry *)(void *)(trail->bytes + trail->used);
        if (entry.size & MZ__WAS_ZERO) {
            memset(entry.home, 0, entry.size & ~MZ__WAS_ZERO);
            continue;
        }
        trail->used -= entry.size;
        mz__copy(entry.home, trail->bytes + trail->used, entry.size);
    }
    trail->serial++;
}
