/* What a twin program (twin_program.h) does, in all interleavings, and which of these are equivalent by
 * definition. Shares nothing with what it is compared with: no machine, no footprints, no classes of
 * accesses; which operations commute is said here once more, by what they are. */
#ifndef TEST_ORACLE_TWIN_REFERENCE_H
#define TEST_ORACLE_TWIN_REFERENCE_H

#include "oracle/twin_program.h"

/* A relation: bits. PUBLISHED is none. */
enum { TWIN_PUBLISHED = 0, TWIN_CLASSES = 1, TWIN_SECTIONS = 2, TWIN_RELATIONS = 4 };

typedef struct twin_result {
    bool too_large;
    bool race, deadlock;
    bool outcomes[TWIN_OUTCOMES];
    uint64_t failing[TWIN_THREADS]; /* which instructions FORBID do */
    bool fails_in_section;
    bool has_simple_sections;
    /* Executions are equivalent if all operations that do not commute have the same order: so many classes
     * there are of each relation. */
    uint64_t classes[TWIN_RELATIONS];
    /* The same by swapping neighbours that commute: components of the graph of all complete executions. Of
     * the relations without sections; 0: too many executions. */
    uint64_t by_swaps[2];
    const char *broken; /* what two equivalent executions do not have in common; NULL: they agree */
} twin_result;

void twin_enumerate(const twin_program *program, twin_result *result);

#endif
