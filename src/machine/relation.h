/* What counts as the same execution: the dependency relation, and its refinements.
 *
 * The *published* relation is that of the papers: two operations depend on each other if they access one
 * location and one of them writes it, and synchronisation objects are locations like all others. Counts that
 * were published, and those of other checkers, are counts of its traces. A *refinement* orders less: fewer
 * executions represent the same behaviours. Each is one line of the list; option, help, JSON and the words of
 * verdicts follow from it. An algorithm says which ones it can follow (algo/algorithm.h); the machine is told
 * which ones are in force, and tells which ones it has met. */
#ifndef MZ_MACHINE_RELATION_H
#define MZ_MACHINE_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Constant; its name in --relation=-NAME and JSON; the words in "3 traces up to …"; what it says. */
#define MZ_REFINEMENTS(X)                                                                                    \
    X(CLASSES, "classes", "commuting operations", "operations on one object that commute are not ordered")   \
    X(LOCKS, "locks", "sections without conflict",                                                           \
      "critical sections whose data do not conflict are not ordered")                                        \
    X(ROUNDS, "rounds", "rounds in vain", "rounds of loops that change nothing are not made")                \
    X(SYMMETRY, "symmetry", "exchanging threads", "of threads that do the same, the first one goes first")

enum {
#define MZ_X(constant, name, words, help) MZ_REFINEMENT_NUMBER_##constant,
    MZ_REFINEMENTS(MZ_X)
#undef MZ_X
        MZ_REFINEMENT_COUNT
};

/* A set of refinements: the bits MZ_REFINES_…. None is the published relation. */
typedef uint32_t mz_relation;
enum {
#define MZ_X(constant, name, words, help) MZ_REFINES_##constant = 1 << MZ_REFINEMENT_NUMBER_##constant,
    MZ_REFINEMENTS(MZ_X)
#undef MZ_X
};

#define MZ_RELATION_PUBLISHED ((mz_relation)0)
#define MZ_RELATION_FINEST    ((mz_relation)((1u << MZ_REFINEMENT_COUNT) - 1))

const char *mz_refinement_name(int number);
const char *mz_refinement_help(int number);

/* "published", "-NAME", "+NAME": changes the relation. False if it is none of these. */
bool mz_relation_change(mz_relation *relation, const char *word);
/* "commuting operations and …"; nothing for the published one. */
void mz_relation_words(mz_relation relation, mz_text *out);

#endif
