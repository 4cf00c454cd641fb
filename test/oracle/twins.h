/* Twin programs, from the seed to the comparison. */
#ifndef TEST_ORACLE_TWINS_H
#define TEST_ORACLE_TWINS_H

#include "oracle/native_jobs.h"
#include "oracle/twin_program.h"

void generate_twin_program(uint64_t seed, uint32_t index, mz_text *out);
/* The library has the program of this seed. */
int check_twin(task the, uint64_t seed, mz_text *out);
/* How many there were of which kind. */
void twins_print(void);

#endif
