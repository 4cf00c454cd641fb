/* What a statement will touch, found out before the program runs. */
#ifndef MZ_MODEL_FOOTPRINT_H
#define MZ_MODEL_FOOTPRINT_H

#include "model/bytecode.h"

/* What an operation touches, as far as it can be told beforehand. */
typedef struct mz_footprint {
    mz_code *code;         /* where the accesses go, while they are fixed */
    bool fixed;            /* no address or condition depends on anything */
    bool dynamic;          /* some depends on what the operation reads itself */
    bool may_fail;         /* by an index or a division */
    bool has_cas;          /* of a shared variable */
    bool has_local_cas;    /* of a local one */
    bool writes, reads;    /* shared variables */
    uint32_t sites;        /* places in the text that access shared variables */
    uint32_t first_access; /* in code->accesses */
} mz_footprint;

/* Is this statement itself (its condition, for one with branches) an operation on shared variables? */
bool mz__touches_shared(const mz_statement *statement);
/* Of such a statement. Its accesses are appended to code->accesses as far as they are constant. */
mz_footprint mz__footprint(mz_code *code, const mz_statement *statement);
/* The class of what a statement does to its only location: x := x + e, where e is the process's own affair,
 * commutes with others like it, and so does x := x * e. 0: none. */
uint32_t mz__class_of(const mz_statement *statement);
/* Is the index of the variable constant? */
bool mz__has_fixed_cell(const mz_expression *access, uint32_t *cell);

#endif
