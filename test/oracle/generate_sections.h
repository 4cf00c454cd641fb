/* Random C programs of critical sections over plain data. */
#ifndef TEST_ORACLE_GENERATE_SECTIONS_H
#define TEST_ORACLE_GENERATE_SECTIONS_H

#include <stdint.h>

#include "base/text.h"

/* To be called by the main() of generate_c.h. The same seed is the same program. */
void generate_sections_program(uint64_t seed, uint32_t index, mz_text *out);

#endif
