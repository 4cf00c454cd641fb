/* What is counted. One line per counter: field, JSON key, label in tables. Every number is counted where
 * it happens, never derived. */
#ifndef MZ_SEARCH_STATISTICS_H
#define MZ_SEARCH_STATISTICS_H

#include <stdint.h>

#define MZ_STATISTICS(X)                                                                                     \
    X(traces, "traces", "traces")          /* complete executions (an error also completes one) */           \
    X(blocked, "blocked", "blocked")       /* cut short as redundant */                                      \
    X(in_vain, "in_vain", "in vain")       /* of these: some thread waits to close a round in vain */        \
    X(repeated, "repeated", "repeated")    /* complete, but of a trace visited before (dpor) */              \
    X(pruned, "pruned", "pruned")          /* an assumption did not hold */                                  \
    X(revisited, "revisited", "revisited") /* cut short at a visited state (--stateful) */                   \
    X(cut, "cut", "cut")                   /* followed no further: --depth */                                \
    X(cut_by_errors, "cut_by_errors", "cut by errors")  /* some thread failed, and nobody asked for that */  \
    X(boundary_states, "boundary_states", "boundaries") /* different ones at loop boundaries */              \
    X(executions, "executions", "executions")           /* all of the above */                               \
    X(events, "events", "events")                       /* operations performed */                           \
    X(dependency_checks, "dependency_checks", "dep. checks")                                                 \
    X(race_checks, "race_checks", "race checks") /* pairs looked at for being a race to reverse */           \
    X(sections, "sections", "sections")                                                                      \
    X(constraint_systems, "constraint_systems", "systems")                                                   \
    X(unsatisfiable_avoided, "unsatisfiable_avoided", "unsat. avoided")                                      \
    X(scouted, "scouted", "scouted") /* executions at random, beside all of the above: scout.h */

typedef struct mz_statistics {
#define MZ_X(field, key, label) uint64_t field;
    MZ_STATISTICS(MZ_X)
#undef MZ_X
} mz_statistics;

#endif
