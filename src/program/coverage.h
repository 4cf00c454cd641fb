/* What of a library's code has run while its clients were checked. */
#ifndef MZ_PROGRAM_COVERAGE_H
#define MZ_PROGRAM_COVERAGE_H

#include "machine/machine.h"

typedef struct mz_covered_line {
    const char *file;
    uint32_t line;
    bool ran;
} mz_covered_line;

typedef struct mz_covered_branch {
    const char *file;
    uint32_t line, number; /* of the branches of its line */
    bool went_on, was_taken;
} mz_covered_branch;

/* Two accesses of which one writes, to the same place. */
typedef struct mz_covered_pair {
    const char *files[2];
    uint32_t lines[2];
    bool reversed; /* the second one also came before the first one; otherwise it never did */
} mz_covered_pair;

/* All sorted; names live as long as the machine. */
typedef struct mz_coverage {
    mz_covered_line *lines;
    mz_covered_branch *branches;
    mz_covered_pair *pairs;
    size_t line_count, branch_count, pair_count;
    /* Functions in which some thread made a step of a call, but never beside a call of another thread. */
    const char **never_beside;
    size_t never_beside_count;
} mz_coverage;

/* From now on: before there are other processes. */
void mz_native_cover(mz_machine *machine);
/* To be released with mz_coverage_release. */
void mz_native_coverage(mz_machine *machine, mz_coverage *out);
void mz_coverage_release(mz_coverage *coverage);
/* Did two calls of these operations ever run beside each other? */
bool mz_native_ran_beside(const mz_machine *machine, uint32_t operation, uint32_t other);

#endif
