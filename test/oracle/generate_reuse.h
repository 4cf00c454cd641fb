/* Random small C programs that allocate, free and compare addresses; what the threads have found out is told
 * by which assertion of main fails. Each in two versions: with malloc and free, and with a model of them in
 * the program itself, which may return any freed block so and so often in each thread. */
#ifndef MZ_ORACLE_GENERATE_REUSE_H
#define MZ_ORACLE_GENERATE_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

void generate_reuse_head(uint32_t reuses, mz_text *out);
void generate_reuse_program(uint64_t seed, uint32_t index, bool model, mz_text *out);

#endif
