/* Where compiled code announces a plain access: a call of a hook that a running program may do without
 * (safe/runtime/runtime_sites.c), if the line of the source has no access that races. The compile step lists
 * them in a section of the program, in the order of its code (program/build/compile_sites.c). */
#ifndef MZ_WIRE_SITE_H
#define MZ_WIRE_SITE_H

#include <stdint.h>

#define MZ_SITES_SECTION "mz_sites"

typedef struct mz_site {
    int32_t distance; /* of the call from here */
    uint32_t key;     /* of file and line: all sites of a line have it */
} mz_site;

static inline uintptr_t mz_site_address(const mz_site *site)
{
    return (uintptr_t)site + (uintptr_t)(intptr_t)site->distance;
}

/* Bytes of the call. */
#define MZ_SITE_BYTES 5

#endif
