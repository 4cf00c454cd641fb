/* Searches in parts: interrupted, written to bytes, read back, explored item by item in any order. */
#ifndef TEST_ORACLE_PARTS_H
#define TEST_ORACLE_PARTS_H

#include "algo/algorithm.h"
#include "oracle/string_set.h"

typedef struct parts_tally {
    uint64_t runs;    /* searches that were parted */
    uint64_t items;   /* that were explored */
    uint64_t traces;  /* in them */
    uint64_t epochs;  /* that were void */
    uint64_t whole;   /* searches that could not be parted, or had nothing to part */
    uint64_t damaged; /* bytes that were refused */
} parts_tally;

/* Run the algorithm in parts, and in one go: the same traces, none twice. Adds what is wrong. False if the
 * machine has learned something meanwhile: then nothing was compared. */
bool parts_try(mz_machine *machine, const mz_algorithm *algorithm, const mz_search_options *options,
               uint64_t seed, parts_tally *tally, mz_text *problem);
void parts_add(parts_tally *tally, const parts_tally *more);
void parts_print(const parts_tally *tally);

#endif
