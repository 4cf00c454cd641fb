/* Twin programs as models: are there the traces that there are by definition? */
#ifndef TEST_ORACLE_MODEL_TWINS_H
#define TEST_ORACLE_MODEL_TWINS_H

#include "oracle/twin_reference.h"
#include "oracle/variants.h"

/* The model of this seed. What is wrong goes to `problem`. False if it is too large. */
bool model_twin_compare(uint64_t seed, size_t prefixes, variant_tally *tally, mz_text *problem);

#endif
