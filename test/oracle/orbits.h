/* Interchangeable processes (machine/symmetry.h), by definition: two executions are alike if one becomes the
 * other by renaming processes of the same text. */
#ifndef MZ_ORACLE_ORBITS_H
#define MZ_ORACLE_ORBITS_H

#include "base/text.h"
#include "machine/machine.h"
#include "oracle/parts.h"
#include "oracle/variants.h"

typedef struct orbit_tally {
    uint64_t programs, reduced; /* those that were compared; those with fewer traces */
    uint64_t without, with;     /* traces, without the refinement and with it */
    uint64_t orbits;            /* the least number there could be */
} orbit_tally;

/* Every algorithm that follows the refinement visits what the machine has; and that has at least one trace
 * of every orbit, and none that does not exist. False if the program is too large. */
bool orbits_try(mz_machine *machine, const char *source, uint64_t seed, size_t most_prefixes,
                orbit_tally *tally, variant_tally *variants, parts_tally *parts, mz_text *problem);

#endif
