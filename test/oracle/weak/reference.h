/* All consistent graphs of a little program, by brute force from the axioms. */
#ifndef TEST_ORACLE_WEAK_REFERENCE_H
#define TEST_ORACLE_WEAK_REFERENCE_H

#include "oracle/string_set.h"
#include "oracle/weak/program.h"

enum { WEAK_SC, WEAK_TSO, WEAK_RC11, WEAK_MODELS };

typedef struct weak_graphs {
    string_set complete, blocked; /* as weak_machine_graph() writes them */
} weak_graphs;

/* False if there are too many. */
bool weak_reference(const weak_program *program, weak_graphs graphs[WEAK_MODELS]);

#endif
