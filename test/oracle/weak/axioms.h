/* The axioms of the memory models, as directly as possible: relations are bit matrices over at most 64
 * events, the initial writes among them. */
#ifndef TEST_ORACLE_WEAK_AXIOMS_H
#define TEST_ORACLE_WEAK_AXIOMS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/weak/program.h"

typedef struct relation {
    uint64_t row[64];
} relation;

typedef struct axioms {
    uint32_t count;
    weak_label labels[64];
    int thread[64];      /* -1: an initial write */
    bool is_update[64];  /* both events of one that writes */
    int written_by[64];  /* of the read of such an update: its write, otherwise -1 */
    relation po, rf, mo; /* mo: all pairs */
} axioms;

bool weak_is_sc(const axioms *a);
bool weak_is_tso(const axioms *a);
bool weak_is_rc11(const axioms *a);

#endif
